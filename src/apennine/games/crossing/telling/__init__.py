"""What is shown: the view, previews, overlays, warnings and checks."""
