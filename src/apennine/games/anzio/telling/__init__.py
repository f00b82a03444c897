"""What the game shows: views, previews, stories, warnings."""
