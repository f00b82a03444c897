"""What several games share, one idea a file, without the words of any game."""
