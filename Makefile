# Everything sets itself up: a machine with Python >= 3.11 and make is enough.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
CORPUS ?= ../shared/corpus
REFERENCE ?= ../shared/reference/plugin-eval-0.1.0.jsonl
CASES ?= ../shared/cases
SUITES ?= ../shared/suites

.PHONY: help demo demo-local demo-measured demo-measured-record test test-fast test-outside test-local-model check generate format house images bench bench-scale bench-action stats corpus precision precision-write seeded cases suites wild lock clean growth peers

help:
	@echo "make demo          score two example plugins and lint the bad one"
	@echo "make demo-local    certify a skill with a small real model on this machine (downloads 161 MB once, Linux on x86_64)"
	@echo "make demo-measured depth measured on an example, from recorded answers of simulated models (no key, no network)"
	@echo "make test          run the tests, on every processor"
	@echo "make test-fast     while editing: rules, parsing, links, languages, formats (no processes, simulations or models)"
	@echo "make test-outside  run the tests that need other programs (pre-commit, prek, other Pythons)"
	@echo "make test-local-model  certify at 50 runs with a small real model (some minutes, part of test-outside)"
	@echo "make generate      write the generated files again: rule pages, options, outputs in documents"
	@echo "make format        format the code and sort its imports"
	@echo "make check         check format, lint, types, imports, generated files, pictures, words, and our own skills"
	@echo "make house         print the shape of the package: rooms, arrows between them, circles"
	@echo "make images        make the pictures of docs/images again (needs node, npm, Chromium)"
	@echo "make bench         measure speed, as ratios within one run"
	@echo "make bench-scale   measure a report on 3,000 plugins: time, memory, shards, sizes (15 minutes)"
	@echo "make bench-action  measure a step of the action from a cold start"
	@echo "make stats         simulate how often intervals and the gate are right (minutes)"
	@echo "make corpus        lint and score a folder of real skills (CORPUS=), compare with the older tool (REFERENCE=)"
	@echo "make precision     count how many findings in a folder of real repositories are right, by people's verdicts (CORPUS=)"
	@echo "make seeded        count how many skills with one defect are found, and how many sound twins stay silent"
	@echo "make cases         run a folder of cases (CASES=)"
	@echo "make wild          lint each repository of a folder and all in one run: exit codes, findings, time per MB (CORPUS=)"
	@echo "make growth        measure how the time of a run grows with each kind of input (about 10 minutes; part of make bench)"
	@echo "make peers         run the inputs of comparable tools, print where we agree and why not where we differ"
	@echo "make suites        lint a folder of suites and print what agrees, is missing or is false (SUITES=)"

$(VENV)/.runtime: requirements/runtime.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: make PYTHON=/path/to/python3.13"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || { echo "the venv module is missing (Debian, Ubuntu: apt install python3-venv)"; exit 1; }
	@$(PIP) install --require-hashes -r requirements/runtime.txt
	@touch $@

$(VENV)/.dev: $(VENV)/.runtime requirements/dev.txt pyproject.toml
	@$(PIP) install --require-hashes -r requirements/dev.txt
	@$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.outside: $(VENV)/.dev requirements/outside.txt
	@$(PIP) install --require-hashes -r requirements/outside.txt
	@touch $@

demo: $(VENV)/.runtime
	@echo '$$ plugin-eval score examples/exemplary --depth quick'
	@PYTHONPATH=$(CURDIR) $(BIN)/python -P -m plugin_eval_ci score examples/exemplary --depth quick
	@echo
	@echo '$$ plugin-eval score examples/every-anti-pattern --depth quick'
	@PYTHONPATH=$(CURDIR) $(BIN)/python -P -m plugin_eval_ci score examples/every-anti-pattern --depth quick
	@echo
	@echo '$$ plugin-eval lint examples/every-anti-pattern'
	@PYTHONPATH=$(CURDIR) $(BIN)/python -P -m plugin_eval_ci lint examples/every-anti-pattern --fail-on never

demo-measured: $(VENV)/.dev
	@echo '$$ plugin-eval score examples/measured --depth measured --cassette examples/measured/cassettes --replay'
	@env -u ANTHROPIC_API_KEY -u ANTHROPIC_AUTH_TOKEN PYTHONPATH=$(CURDIR) $(BIN)/python -P -m plugin_eval_ci score examples/measured \
	  --depth measured --cassette examples/measured/cassettes --replay

# The answers are simulated; needed after a change of anything that is asked.
demo-measured-record: $(VENV)/.dev
	@$(BIN)/python tools/demo_measured.py

test-local-model: $(VENV)/.outside
	@$(BIN)/python -m pytest -m outside -rs tests/outside/test_outside_certify.py

demo-local: $(VENV)/.outside
	@$(BIN)/python tools/demo_local.py

test: $(VENV)/.dev
	@$(BIN)/python -m pytest -n auto

FAST := rules parse languages analysis config discover lint clients
test-fast: $(VENV)/.dev
	@$(BIN)/python -m pytest -n auto $(FAST:%=tests/%)

test-outside: $(VENV)/.outside
	@tools/outside_setup.sh
	@$(BIN)/python -m pytest -m outside -rs

check: $(VENV)/.dev
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache
	@$(BIN)/python tools/house.py --check
	@$(BIN)/python tools/rule_pages.py --check
	@$(BIN)/python tools/readme.py --check
	@$(BIN)/python tools/screens.py --check --options
	@$(BIN)/python tools/images.py --check
	@$(BIN)/python tools/words_check.py --strings
	@$(BIN)/python tools/action_docs.py --check
	@$(BIN)/python tools/plugin_pages.py --check
	@$(BIN)/plugin-eval lint --hook examples/exemplary plugin

generate: $(VENV)/.dev
	@$(BIN)/python tools/rule_pages.py
	@$(BIN)/python tools/readme.py
	@$(BIN)/python tools/screens.py
	@$(BIN)/python tools/action_docs.py
	@$(BIN)/python tools/plugin_pages.py
	@$(BIN)/python tools/house.py --diagram > /dev/null

house: $(VENV)/.dev
	@$(BIN)/python tools/house.py

# Needs node, npm, Chromium and fonts (fonts-liberation, fonts-noto-color-emoji). `make check` compares what the pictures show, by digest.
images: $(VENV)/.dev
	@$(BIN)/python tools/images.py

format: $(VENV)/.dev
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

bench: $(VENV)/.dev
	@$(BIN)/python tools/bench.py --corpus $(CORPUS)
	@$(BIN)/python tools/growth.py

bench-scale: $(VENV)/.dev
	@$(BIN)/python tools/bench_scale.py

bench-action: $(VENV)/.dev
	@$(BIN)/python tools/action_bench.py

stats: $(VENV)/.dev
	@$(BIN)/python tools/stats.py

corpus: $(VENV)/.dev
	@$(BIN)/python tools/corpus.py --corpus $(CORPUS) --reference $(REFERENCE)

wild: $(VENV)/.dev
	@$(BIN)/python tools/wild.py --corpus $(CORPUS)

DEAD = $(wildcard $(dir $(REFERENCE))dead-references.jsonl)
PRECISION_ARGS ?= --check
precision: $(VENV)/.dev
	@$(BIN)/python tools/precision.py --corpus $(CORPUS) $(PRECISION_ARGS)
	@$(BIN)/python tools/reference_truth.py count --corpus $(CORPUS) $(DEAD:%=--dead %) $(PRECISION_ARGS)

precision-write:
	@$(MAKE) --no-print-directory precision PRECISION_ARGS=--write

growth: $(VENV)/.dev
	@$(BIN)/python tools/growth.py --pull-request 10000

peers: $(VENV)/.dev
	@$(BIN)/python tools/peers.py --corpus $(CORPUS) --reference $(REFERENCE)

seeded: $(VENV)/.dev
	@$(BIN)/python tools/seeded.py

cases: $(VENV)/.dev
	@if test -f $(CASES)/run.py; then $(BIN)/python $(CASES)/run.py --cases $(CASES) --tool $(CURDIR)/$(BIN)/plugin-eval; \
	else echo "skipped: no cases in $(CASES)"; fi

suites: $(VENV)/.dev
	@if test -d $(SUITES); then $(BIN)/python tools/suites.py $(SUITES); else echo "skipped: no suites in $(SUITES)"; fi

# Pins with hashes and without the address of any registry; needs uv.
lock:
	@cd requirements && for name in runtime build dev outside; do \
	  uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url --no-annotate $$name.in -o $$name.txt; done
	@cd requirements && uv pip compile --quiet --no-deps --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url \
	  --no-annotate local-model.in -o local-model.txt
	@cd action && uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-build --no-header --no-emit-index-url \
	  --no-annotate requirements.in -o requirements.txt
	@cd action && uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-build --no-header --no-emit-index-url \
	  --no-annotate -c ../requirements/dev.txt requirements-llm.in -o requirements-llm.txt

clean:
	@rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
