"""What is shown: views, overlays, warnings, the standing, the words of the story, faults."""
