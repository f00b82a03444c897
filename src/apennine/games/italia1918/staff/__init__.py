"""The bot that plays either side."""
