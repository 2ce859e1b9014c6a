"""Lets the tests of this folder share their worlds and entries."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
