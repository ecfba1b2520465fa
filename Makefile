# `make run` and `make test` do everything. They need Python 3.11 or newer.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
HOST ?= 127.0.0.1
PORT ?= 8000
VENV := .venv
BIN := $(VENV)/bin
# make hall: number of phones, length of each run in minutes, and the seconds in which half of the
# results are sent. RUSH="60 2" makes two runs.
PHONES ?= 500
MINUTES ?= 10
RUSH ?= 60
# Browsers and servers wait for each other: one process more than cores keeps the cores busy.
# Tests of a module share a scene, so worksteal hands out whole stretches.
JOBS ?= $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) + 1)))
PYTEST := $(BIN)/pytest -n $(JOBS) --dist worksteal
# Runs a command on PostgreSQL and Redis, or prints why it cannot.
SCALED := $(BIN)/python -m tools.scaled

export DATAFORT_VAR ?= $(CURDIR)/var
# Each test process reads what the first one compiled.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help install run test lint test-embedded test-scaled slow mutants bench hall lighthouse screenshots openapi messages lock clean

help:
	@echo "make run            install, and serve a demo event on http://$(HOST):$(PORT) (HOST=, PORT=)"
	@echo "make test           install, lint, and run all tests except the slow ones"
	@echo "make install        only set up the virtual environment"
	@echo "make lint           only check style, types, imports, migrations and settings"
	@echo "make test-embedded  only run the tests on SQLite"
	@echo "make test-scaled    only run the tests on PostgreSQL and Redis"
	@echo "make slow           run the long tests on both databases (WRITE=1 updates docs/dev/reliability.csv)"
	@echo "make mutants        change the rules and count the changes that no test notices (RULES=)"
	@echo "make bench          measure speed and write docs/dev/performance.md"
	@echo "make hall           simulate an event with 500 phones (PHONES=, MINUTES=, RUSH=, NGINX=1, WRITE=1)"
	@echo "make lighthouse     score pages of the demo with Lighthouse (needs Chromium and npx)"
	@echo "make screenshots    take the screenshots in docs/images (needs Chromium)"
	@echo "make openapi        write docs/openapi.yaml"
	@echo "make messages       write the catalogues of translations in locale/ (needs gettext)"
	@echo "make lock           pin the dependencies in pyproject.toml (requirements/)"
	@echo "make clean          delete the virtual environment and all caches"

# A service may not write into its environment, so compile everything. `make run` compiles what it uses.
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

# The last line lists what was left out and why; with CI=true that is a failure.
test: $(VENV)/.installed-dev lint test-embedded test-scaled
	@$(BIN)/python -m tools.left_out

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy .
	cd docs/examples && ../../$(BIN)/mypy --strict --config-file= --cache-dir ../../.mypy_cache/examples *.py
	$(BIN)/lint-imports
	$(BIN)/codespell --dictionary tools/words.txt --ignore-regex '`[^`]*`' locale/en *.md docs/*.md docs/*/*.md
	$(BIN)/python manage.py makemigrations --check --dry-run
	SECRET_KEY=$$($(BIN)/python -c 'import secrets; print(secrets.token_urlsafe(50))') \
	  DATAFORT_PUBLIC_URL=https://datafort.example DJANGO_SETTINGS_MODULE=config.settings.production \
	  $(BIN)/python manage.py check --deploy --fail-level WARNING

# SQLite, tasks in the process: nothing to install.
test-embedded: $(VENV)/.installed-dev
	$(PYTEST) -m "not slow"

# Only what PostgreSQL, Redis and a Celery worker may answer differently.
test-scaled: $(VENV)/.installed-dev
	@$(SCALED) $(PYTEST) -m "not slow" @tests/both_databases.txt

# First the long tests on SQLite. Then on PostgreSQL, without browsers: every quick test that uses a
# database, and the long tests of what may differ.
FIGURES := --checks $(if $(WRITE),--keep-figures)
slow: $(VENV)/.installed-dev
	$(PYTEST) $(FIGURES) -m slow
	@$(SCALED) $(PYTEST) $(FIGURES) -m "not slow and not plain and not browser"
	@$(SCALED) $(PYTEST) $(FIGURES) -m "slow and not plain and not browser" @tests/both_databases.txt
	@$(if $(WRITE),$(BIN)/python -m tests.reliability)

# All rules take more than an hour; RULES="standings scoring" takes only those.
mutants: $(VENV)/.installed-dev
	@$(BIN)/python -m tools.mutants $(RULES)

bench: $(VENV)/.installed-dev
	$(BIN)/python -m tools.bench

# Prints the figures; with WRITE=1 docs/dev/performance.md gets them too.
hall: $(VENV)/.installed-dev
	$(BIN)/python -m tools.load --phones $(PHONES) --minutes $(MINUTES) --rush $(RUSH) \
	  $(if $(NGINX),--nginx) $(if $(WRITE),--write)

lighthouse: $(VENV)/.installed-dev
	$(BIN)/python -m tools.lighthouse

screenshots: $(VENV)/.installed-dev
	$(BIN)/python -m tools.screenshots

openapi: $(VENV)/.installed-dev
	$(BIN)/python manage.py spectacular --file docs/openapi.yaml

messages: $(VENV)/.installed-dev
	$(BIN)/python -m tools.messages

lock: $(VENV)/.installed-dev
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
	  pyproject.toml -o requirements/base.txt
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
	  --extra dev -c requirements/base.txt pyproject.toml -o requirements/dev.txt

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
