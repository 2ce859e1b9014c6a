# Everything a person needs; each target sets up what it uses.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Every command of the tests is an interpreter of its own: without compiled modules each compiles them.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test truth kept-tests test-times test-page test-hostile soak test-all check walk-steps bench bench-search bench-oracles bench-modules differential support
.PHONY: docs experiments papers wheel clean help

help:  ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 14

$(VENV)/.ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@

demo: $(VENV)/.ready  ## the main job on an example
	$(BIN)/symcrete cover examples/triangle.py

# Tests wait for processes and clocks, too: three workers keep two processors busy for 86 % of the
# gate's time (25 minutes of the processor in 14.5 by the clock).
WORKERS ?= 3
# A budget in seconds may run out beside other tests on a shared machine: what failed is run once
# more, alone. What passes then is named as unsteady; more than two of those fail the run too.
test: $(VENV)/.ready  ## the test suite
	$(BIN)/python -m tools.steady -q -n $(WORKERS) --dist worksteal

test-times: $(VENV)/.ready  ## the times that are promised on a quiet machine, without extra room
	SYMCRETE_LIMITS=exact $(BIN)/pytest -q -m timed

# The page is looked at in a browser, which is no part of the suite: it needs Debian's packages.
test-page: $(VENV)/.ready  ## the page in Chromium: sorting, search, keys, links, three widths
	test -x /usr/bin/chromium -a -x /usr/bin/chromedriver || \
	  { apt-get update && apt-get install -y chromium chromium-driver; }
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[page]'
	$(BIN)/pytest -q tests/browser/page_in_browser.py

docs: $(VENV)/.ready  ## the documentation as pages, into build/site
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[docs]'
	$(BIN)/mkdocs build --strict --quiet

.PHONY: test-readme
test-readme:  ## README and tutorial followed literally in new environments, on every CPython found
	@for version in 3.11 3.12 3.13; do \
	  python=$$(ls -d $$HOME/.pyenv/versions/$$version*/bin/python 2>/dev/null | tail -1); \
	  python=$${python:-$$(command -v python$$version || true)}; \
	  if [ -z "$$python" ]; then echo "no CPython $$version here"; continue; fi; \
	  $$python tools/follow_readme.py || exit 1; \
	done

test-hostile: $(VENV)/.ready  ## every row of hostile programs, the slow ones too
	$(BIN)/pytest -q -n 2 -m "hostile or not hostile" tests/hostile

.PHONY: test-cluster
test-cluster: $(VENV)/.ready  ## a project on a Dask cluster of this machine, a worker killed in the middle
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dask]'
	$(BIN)/pytest -q tests/sandbox/test_cluster.py

truth: $(VENV)/.ready  ## random programs, every claim judged by brute force (PROGRAMS=10000 for the full measure)
	$(BIN)/python -m tests.truth --programs $(or $(PROGRAMS),400) --processes 2 --show

kept-tests: $(VENV)/.ready  ## tests of functions of 16 public packages hold on another day, for another user (half an hour)
	$(BIN)/python -m benchmarks.kept_tests

soak: $(VENV)/.ready  ## killed, interrupted and short of disk at 150 moments (FULL=1: at 600, half an hour)
	$(BIN)/python -m tests.hostile.soak $(if $(FULL),,--kills 120 --interrupts 30)

CODE := src tests tools examples experiments benchmarks
check: check-types check-rules  ## formatting, linting, types, layers and the rules of the house

.PHONY: check-types check-rules
check-types: $(VENV)/.ready
	$(BIN)/mypy

# Collecting the tests tells what cannot be imported; what it compiles is there when they are run.
check-rules: $(VENV)/.ready
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/ruff check $(CODE)
	$(BIN)/pytest -q tests/test_layers.py
	$(BIN)/python -m tools.house
	@$(BIN)/pytest -q --collect-only > $(VENV)/collected || { tail -40 $(VENV)/collected; exit 1; }
	@! grep ' at 0x' $(VENV)/collected || { echo 'names of tests that no two processes share'; exit 1; }

test-all: $(VENV)/.ready  ## the tests that matter on every CPython found: 3.11, 3.12, 3.13
	@for version in 3.11 3.12 3.13; do \
	  python=$$(ls -d $$HOME/.pyenv/versions/$$version*/bin/python 2>/dev/null | tail -1); \
	  python=$${python:-$$(command -v python$$version || true)}; \
	  if [ -z "$$python" ]; then echo "no CPython $$version here"; continue; fi; \
	  echo "== $$($$python --version)"; \
	  test -e .venv-$$version/.ready || { $$python -m venv .venv-$$version \
	    && .venv-$$version/bin/pip install --quiet --disable-pip-version-check -e '.[dev]' \
	    && touch .venv-$$version/.ready; } || exit 1; \
	  .venv-$$version/bin/pytest -q -n 2 || exit 1; \
	done

walk-steps: $(VENV)/.ready  ## ten million steps of the concolic walk, every answer checked
	$(BIN)/python -m experiments.walk_steps 10000000

differential: $(VENV)/.ready  ## every modelled operation against CPython, 5,000 inputs each (hours)
	$(BIN)/python -m tests.differential.everything

support: $(VENV)/.ready  ## write docs/support.md from the catalogues of operations
	$(BIN)/python -m tests.differential.support > docs/support.md

bench: $(VENV)/.ready  ## beside peers and the limit, in one run
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[bench]'
	$(BIN)/python -m benchmarks.paths
	$(BIN)/python -m benchmarks.solvers
	$(BIN)/python -m benchmarks.overhead

bench-search: $(VENV)/.ready  ## what choosing the next step costs, by size of tree and program
	$(BIN)/python -m benchmarks.decisions
	$(BIN)/python -m benchmarks.decision

bench-oracles: $(VENV)/.ready  ## whether diff and check decide what is known, and are right
	$(BIN)/python -m benchmarks.oracles

.PHONY: bench-mutants
bench-mutants: $(VENV)/.ready  ## seeded faults that the written tests find, in 20 modules (MODULES=5 for a few)
	$(BIN)/python -m benchmarks.mutants --peers 5 --modules $(or $(MODULES),20)

bench-modules: $(VENV)/.ready  ## whole modules of published packages: what the emitted tests cover
	$(BIN)/python -m benchmarks.modules --budget $(or $(BUDGET),5s)

.PHONY: bench-projects
bench-projects: $(VENV)/.ready  ## 588 functions: per second, shares, second run, workers, a cluster, peers (an hour; MODULES=4: minutes)
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[bench,dask]'
	$(BIN)/python -m benchmarks.projects --modules $(or $(MODULES),16)

# Each study prints the paper's numbers beside ours; FULL=1 takes the papers' sizes.
STUDIES := optimal ippc walk walk_constants lazy symcretic context optimal_programs
experiments: $(VENV)/.ready  ## rerun the papers' experiments (FULL=1: at their full size)
	@for study in $(STUDIES); do \
	  test -e experiments/$$study.py || continue; \
	  echo "== $$study"; began=$$(date +%s); \
	  $(BIN)/python -m experiments.$$study $(if $(FULL),--full) || exit 1; \
	  echo "== $$study took $$(($$(date +%s) - began)) s"; \
	done

papers: $(VENV)/.ready  ## write tables of docs/papers, pictures of docs/techniques from the committed results
	$(BIN)/python -m experiments.papers

wheel: $(VENV)/.ready  ## build the wheel into dist/
	$(BIN)/python -m build --wheel

clean:  ## remove what the targets made
	rm -rf $(VENV) .venv-* build dist src/*.egg-info
