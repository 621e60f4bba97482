# Two commands on a fresh machine: `make play` opens a story, `make test` passes the tests.
# Needs Python 3.11 or later, pip, git and make; everything else goes into .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := sandbox tests

.PHONY: help play test check static format bench snapshots mutate clean
.DEFAULT_GOAL := help

help: ## What can be made
	@grep -E '^[a-z]+:.*## ' Makefile | sed -E 's/:.*## /\t/' | expand -t 12

play: $(VENV)/.play ## Open a story in the terminal
	@$(BIN)/sandbox play

test: $(VENV)/.test ## Pass the tests
	$(BIN)/python -m pytest -n 2

check: static test ## Format, lint, types, import contracts, tests

static: $(VENV)/.test ## All of check but the tests
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.test ## Put the code into form
	$(BIN)/ruff format $(SOURCES)
	$(BIN)/ruff check --fix $(SOURCES)

snapshots: $(VENV)/.test ## Accept what the screens look like now
	$(BIN)/python -m pytest tests/tui --snapshot-update

bench: $(VENV)/.play ## Measure this program here
	@$(BIN)/sandbox bench

mutate: $(VENV)/.mutation ## Change the code of witnesses, grants and beliefs and see the tests fail
	$(BIN)/mutmut run --max-children 2
	$(BIN)/mutmut results

clean: ## Remove what was set up
	rm -rf $(VENV) mutants .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache

$(VENV)/.venv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "story-sandbox needs Python 3.11 or later; PYTHON=python3.12 make … names another."; exit 1; }
	@echo "Setting up $(VENV); this takes a minute or two, once." >&2
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	@touch $@

$(VENV)/.play: pyproject.toml | $(VENV)/.venv
	@$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/.test: pyproject.toml | $(VENV)/.venv
	@$(BIN)/python -m pip install --quiet --editable . --group dev
	@touch $@ $(VENV)/.play

$(VENV)/.mutation: pyproject.toml | $(VENV)/.venv
	@$(BIN)/python -m pip install --quiet --editable . --group mutation
	@touch $@
