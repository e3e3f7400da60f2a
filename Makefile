# Two commands do everything on a fresh machine that has Python 3.11+, pip and make: `make demo` and `make test`.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
PIP := $(BIN)/python $(INSTALL)

.PHONY: demo test lint types unit test-slow test-libraries test-browser test-gpu kits bench clean

demo: $(VENV)/installed
	@echo "== playing Chase: a greedy runner against a greedy and a searching chaser =="
	@$(BIN)/ludus play chase runner=greedy chaser1=greedy chaser2=search --seed 3
	@echo
	@echo "What to try next (after: . $(VENV)/bin/activate):"
	@echo "  ludus play chase runner=human chaser1=greedy chaser2=greedy    you are the runner"
	@echo "  ludus play chase --ask                                         set the board up yourself"
	@echo "  ludus games                                                    what else there is"
	@echo "  ludus match chase greedy search search --games 100             who wins?"
	@echo "  ludus rules chase                                              the rules in full"

test: $(VENV)/test-installed lint types unit

lint:
	@echo "== lint =="
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types:
	@echo "== types =="
	@$(BIN)/mypy

unit:
	@echo "== tests =="
	@$(BIN)/pytest -n 2 --dist loadfile

test-slow: $(VENV)/learn-installed
	@echo "== slow tests: they train an agent, which takes minutes =="
	@$(BIN)/pytest -m slow

test-libraries: $(VENV)/libraries-installed
	@echo "== tests with other people's learners: stable-baselines3, TorchRL, RLlib, tianshou, SuperSuit =="
	@$(VENV)/libraries/bin/pytest -m libraries tests/libraries
	@$(VENV)/tianshou/bin/pytest -m libraries tests/libraries/test_tianshou.py

test-browser: $(VENV)/browser-installed
	@echo "== tests in a real browser: Debian's Chromium =="
	@$(BIN)/pytest -m browser

test-gpu: $(VENV)/test-installed
	@echo "== tests that need a CUDA device =="
	@$(BIN)/pytest -m gpu

kits: $(VENV)/installed
	@echo "== kits: bots in seven languages play 10 games of every game (some minutes) =="
	@sh kits/toolchains.sh
	@$(BIN)/python kits/all.py

bench: $(VENV)/installed
	@echo "== benchmarks: best of several rounds, this machine, one process =="
	@$(BIN)/ludus bench

$(VENV)/created:
	@echo "== making $(VENV) with $$($(PYTHON) --version) =="
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/installed: $(VENV)/created pyproject.toml constraints.txt
	@echo "== installing ludus and what it needs: numpy, numba, msgspec, typer, rich (a minute or so) =="
	@$(PIP) --editable .
	@touch $@

$(VENV)/test-installed: $(VENV)/created pyproject.toml constraints.txt
	@echo "== installing ludus and what its tests need: pytest, hypothesis, ruff, mypy, gymnasium, pettingzoo, pygame, torch, ray… (some minutes) =="
	@$(PIP) --editable '.[test]'
	@touch $@ $(VENV)/installed

$(VENV)/learn-installed: $(VENV)/test-installed
	@echo "== installing stable-baselines3 for the learning tests (some minutes) =="
	@$(PIP) --editable '.[test,learn]'
	@touch $@

$(VENV)/libraries-installed: $(VENV)/created pyproject.toml constraints.txt
	@echo "== installing stable-baselines3, TorchRL, RLlib, SuperSuit; and tianshou, which wants another Gymnasium than RLlib (some minutes, 3 GB) =="
	@for one in libraries tianshou; do $(PYTHON) -m venv $(VENV)/$$one && $(VENV)/$$one/bin/python $(INSTALL) --editable ".[$$one]" || exit 1; done
	@touch $@

$(VENV)/browser-installed: $(VENV)/test-installed
	@echo "== installing playwright, chromium from Debian where it is missing, and axe-core where there is npm =="
	@$(PIP) --editable '.[browser]'
	@if command -v npm >/dev/null; then cd web && npm ci --silent; fi
	@command -v chromium >/dev/null || { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium; }
	@touch $@

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
