"""The referee, by its rooms."""
