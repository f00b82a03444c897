"""The bot of Italy '43: objectives, worth, odds, and the verbs of its own."""
