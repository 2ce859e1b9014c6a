# Everything a person needs; each target sets up what it uses.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test test-all check bench experiments clean help

help:  ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 14

$(VENV)/.ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@

demo: $(VENV)/.ready  ## the main job on an example
	$(BIN)/symcrete cover examples/triangle.py

test: $(VENV)/.ready  ## the test suite
	$(BIN)/pytest -q -n 2

check: $(VENV)/.ready  ## formatting, linting, types and layers
	$(BIN)/ruff format --check src tests examples experiments benchmarks
	$(BIN)/ruff check src tests examples experiments benchmarks
	$(BIN)/mypy
	$(BIN)/pytest -q tests/test_layers.py

clean:  ## remove what the targets made
	rm -rf $(VENV) build dist src/*.egg-info
