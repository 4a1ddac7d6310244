# Everything here works in an environment of its own, .venv, which is made when it is first needed.
# Another Python: make PYTHON=python3.12 demo (after `make clean` if .venv exists already).

PYTHON ?= python3
WORKERS ?= 2

BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet --quiet

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test test-slow lint format bench bench-table bench-noise bench-players tables docs clean

help:  ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' Makefile

demo: .venv/.installed  ## Check every claim of the documents, then show one position step by step
	$(BIN)/qttt verify --shots 100000 --seed 1
	$(BIN)/python examples/01_half_cancelling.py

test: lint  ## Run everything that CI checks: lint, then the tests on WORKERS=2 processes
	$(BIN)/python -m pytest -q -n $(WORKERS)

test-slow: .venv/.installed-dev  ## Run the tests that are marked slow
	$(BIN)/python -m pytest -q -n $(WORKERS) -m slow

lint: .venv/.installed-dev  ## Check style, format and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: .venv/.installed-dev  ## Mend style and format where that can be done automatically
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: .venv/.installed  ## Run the quick benchmarks
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python benchmarks/memory.py
	$(BIN)/python benchmarks/exact_engine.py
	$(BIN)/python benchmarks/distributions.py
	$(BIN)/python benchmarks/sampling.py
	$(BIN)/python benchmarks/floors.py
	$(BIN)/python benchmarks/profiles.py
	$(BIN)/python benchmarks/growth.py
	$(BIN)/python benchmarks/gates.py
	$(BIN)/python benchmarks/flips.py
	$(BIN)/python benchmarks/gates_other.py

bench-table: .venv/.installed  ## Measure what the README says of performance, as Markdown
	$(BIN)/python benchmarks/table.py

bench-players: .venv/.installed  ## Measure players against random ones
	$(BIN)/python benchmarks/players.py

tables: .venv/.installed-dev  ## Solve the dice games anew and write the tables of values
	$(BIN)/python -m qttt_circuits.solving.phase.build

bench-noise: .venv/.installed-dev  ## Measure distances on noise snapshots, with and without mitigation
	$(BIN)/python benchmarks/noise.py

docs: .venv/.installed-docs  ## Build the documentation to build/docs; any warning is an error
	$(BIN)/python -m sphinx -q -W --keep-going -n -d build/doctrees docs build/docs
	@echo "the documentation is in build/docs/index.html"

clean:  ## Remove .venv, caches and build products
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist docs/api *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The stamps say what is installed; a newer pyproject.toml makes them stale.

.venv/.made:
	@command -v $(PYTHON) > /dev/null || \
	  { echo "$(PYTHON) is not found: install Python 3.11 or newer," \
	         "or name one, as in 'make PYTHON=python3.12 demo'" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "$(PYTHON) is $$($(PYTHON) --version 2>&1), and Python 3.11 or newer is needed:" \
	         "name one, as in 'make PYTHON=python3.12 demo'" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2> /dev/null || \
	  { echo "$(PYTHON) cannot make virtual environments:" \
	         "install its venv module (on Debian and Ubuntu the package python3-venv)" >&2; exit 1; }
	$(PYTHON) -m venv --clear .venv
	@touch $@

.venv/.installed: pyproject.toml .venv/.made
	@echo "installing into .venv; the first time this takes a minute or two"
	$(PIP) install --editable .
	@touch $@

.venv/.installed-dev: pyproject.toml .venv/.made
	@echo "installing into .venv, with the tools for development; this takes a minute or two"
	$(PIP) install --editable '.[dev]'
	@touch .venv/.installed $@

.venv/.installed-docs: pyproject.toml .venv/.made
	@echo "installing into .venv, with the tools for documentation; this takes a minute or two"
	$(PIP) install --editable '.[docs]'
	@touch .venv/.installed $@
