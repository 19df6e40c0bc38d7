"""`python -m faier`: the command line."""

from faier.cli import main

if __name__ == "__main__":
    main(prog_name="faier")
