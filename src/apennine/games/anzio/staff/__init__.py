"""The bot of Anzio: what it knows, what battles promise, lines, landings, and a judge a verb."""
