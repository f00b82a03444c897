"""What is shown: views, previews, warnings, words."""
