"""Targets: what a command is about, a model file or `path/to/file.py:name`."""
