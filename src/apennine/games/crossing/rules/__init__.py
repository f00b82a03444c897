"""The rules, a module for each chapter or two."""
