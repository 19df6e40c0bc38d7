"""Measurements of faier against floors and peers of the same run: `python -m bench`."""
