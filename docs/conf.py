"""How the documentation is built: `sphinx-build -W docs docs/_build`. Needs no network."""

from faier import __version__

project = "faier"
version = release = __version__
extensions = ["myst_parser"]
exclude_patterns = ["_build"]
html_theme = "alabaster"
html_theme_options = {"description": "Exactly how much a privacy mechanism leaks", "page_width": "1100px"}
html_sidebars = {"**": ["about.html", "navigation.html", "searchbox.html"]}
html_copy_source = False
myst_heading_anchors = 3
