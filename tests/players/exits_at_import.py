"""Ends its process while it is imported."""

import sys

sys.exit(5)
