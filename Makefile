# Two commands do everything: `make run` and `make test`.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
HOST ?= 127.0.0.1
PORT ?= 8000
VENV := .venv
BIN := $(VENV)/bin
# How full the hall is, for how long, and in how many seconds half of the results come: one evening
# for each.
PHONES ?= 500
MINUTES ?= 10
RUSH ?= 60
# Browsers and servers wait for each other: one test process more than there are cores keeps those
# busy. Tests of a module share a scene, so each process takes whole stretches.
JOBS ?= $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) + 1)))
SHARED := -n $(JOBS) --dist worksteal

export DATAFORT_VAR ?= $(CURDIR)/var
# Each test process reads what the first one compiled.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help install run test lint test-embedded test-scaled slow mutants bench hall screenshots openapi lock clean

help:
	@echo "make run          serve on http://$(HOST):$(PORT) with a demo event (HOST=, PORT=)"
	@echo "make test         install, lint, and run all tests but the slow ones"
	@echo "make install      set up the virtual environment alone"
	@echo "make slow         the long versions of the tests, on both databases (WRITE=1)"
	@echo "make mutants      change the rules by a letter and count what no test notices (RULES=)"
	@echo "make bench        measure speed anew and write docs/dev/performance.md (minutes)"
	@echo "make hall         500 phones at one event, on both databases (PHONES=, MINUTES=, RUSH=, NGINX=1)"
	@echo "make screenshots  draw docs/images anew (needs Chromium)"
	@echo "make openapi      write docs/openapi.yaml anew"
	@echo "make lock         pin the dependencies of pyproject.toml anew"

# A service may not write into the environment: compile everything. `make run` compiles what it uses.
install: $(VENV)/.compiled

$(VENV)/.compiled: $(VENV)/.installed
	-@$(BIN)/python -m compileall -qq -j 0 $(VENV)/lib
	@touch $@

$(VENV)/.installed: requirements/base.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Datafort needs Python 3.11 or newer; set PYTHON=/path/to/python3.11"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --no-compile --disable-pip-version-check --require-hashes -r requirements/base.txt
	@touch $@

$(VENV)/.installed-dev: requirements/dev.txt $(VENV)/.installed
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	@touch $@

run: $(VENV)/.installed
	@$(BIN)/python manage.py serve --set-up --demo --host $(HOST) --port $(PORT)

# The last line says what was left out and why; with CI=true that is a failure.
test: $(VENV)/.installed-dev lint test-embedded test-scaled
	@$(BIN)/python -m tools.left_out

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy .
	cd docs/examples && ../../$(BIN)/mypy --strict --config-file= --cache-dir ../../.mypy_cache/examples *.py
	$(BIN)/lint-imports
	$(BIN)/python manage.py makemigrations --check --dry-run
	SECRET_KEY=$$($(BIN)/python -c 'import secrets; print(secrets.token_urlsafe(50))') \
	  DATAFORT_PUBLIC_URL=https://datafort.example DJANGO_SETTINGS_MODULE=config.settings.production \
	  $(BIN)/python manage.py check --deploy --fail-level WARNING

# SQLite, tasks in the process, nothing to install.
test-embedded: $(VENV)/.installed-dev
	$(BIN)/pytest $(SHARED) -m "not slow"

# What PostgreSQL, Redis and a Celery worker may answer differently, as tests/both_databases.txt
# lists it; left out with a word where they are not running.
test-scaled: $(VENV)/.installed-dev
	@$(BIN)/python -m tools.scaled $(BIN)/pytest $(SHARED) -m "not slow" @tests/both_databases.txt

# The long versions; then, on PostgreSQL, everything quick that asks a database, but for what a
# browser draws, and the long versions of what it may answer differently.
# Prints what was shown and measured; with WRITE=1 docs/dev/reliability.md shows it too.
FIGURES := --checks $(if $(WRITE),--keep-figures)
slow: $(VENV)/.installed-dev
	$(BIN)/pytest $(SHARED) -m slow $(FIGURES)
	@$(BIN)/python -m tools.scaled $(BIN)/pytest $(SHARED) $(FIGURES) \
	  -m "not slow and not plain and not browser"
	@$(BIN)/python -m tools.scaled $(BIN)/pytest $(SHARED) $(FIGURES) \
	  -m "slow and not plain and not browser" @tests/both_databases.txt
	@$(if $(WRITE),$(BIN)/python -m tests.reliability)

# More than an hour for all of them: RULES="standings scoring" takes those alone.
mutants: $(VENV)/.installed-dev
	@$(BIN)/python -m tools.mutants $(RULES)

bench: $(VENV)/.installed-dev
	$(BIN)/python -m tools.bench

# Prints what became of them; with WRITE=1 also into docs/dev/performance.md.
hall: $(VENV)/.installed-dev
	$(BIN)/python -m tools.load --phones $(PHONES) --minutes $(MINUTES) --rush $(RUSH) \
	  $(if $(NGINX),--nginx) $(if $(WRITE),--write)

screenshots: $(VENV)/.installed-dev
	$(BIN)/python -m tools.screenshots

openapi: $(VENV)/.installed-dev
	$(BIN)/python manage.py spectacular --file docs/openapi.yaml

lock: $(VENV)/.installed-dev
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
	  pyproject.toml -o requirements/base.txt
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
	  --extra dev -c requirements/base.txt pyproject.toml -o requirements/dev.txt

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
