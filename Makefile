# Everything a person does often is one word. `make` alone lists them.
PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
ARGS ?=
JOBS ?= 2

.DEFAULT_GOAL := help
.PHONY: help install demo up worker test chaos bench lint format messages migrate admin clean distclean

help: ## List these words
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# The stamps make the second run instant: a list that hasn't changed is not installed again.
$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Sheaf needs Python 3.11 or newer: make install PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: requirements.txt | $(VENV)/bin/python
	$(PY) -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(VENV)/installed-lint: requirements-lint.txt $(VENV)/installed-test
	$(PY) -m pip install --quiet --disable-pip-version-check -r requirements-lint.txt
	@touch $@

$(VENV)/installed-test: requirements-test.txt requirements-s3.txt $(VENV)/installed
	$(PY) -m pip install --quiet --disable-pip-version-check -r requirements-test.txt
	@touch $@

install: $(VENV)/installed ## Create .venv and install what is needed to run

demo: install ## Extract the sample papers, show the table, serve (ARGS=--once ends after the table)
	$(PY) manage.py demo $(ARGS)

up: install ## Run web and workers on this machine (ARGS="--port 8080 --workers 4")
	$(PY) manage.py up $(ARGS)

worker: install ## Run one worker (ARGS="--queues local")
	$(PY) manage.py worker $(ARGS)

migrate: install ## Apply the database migrations
	$(PY) manage.py migrate $(ARGS)

admin: install ## Create an administrator account
	$(PY) manage.py createsuperuser $(ARGS)

test: $(VENV)/installed-test ## Run every test but chaos and completeness (ARGS="-k name", JOBS=1 for one by one)
	$(PY) -m pytest --numprocesses $(JOBS) --dist loadfile $(ARGS)

chaos: $(VENV)/installed-test ## Break things on purpose (ARGS="--minutes 2")
	$(PY) -m tests.chaos $(ARGS)

bench: $(VENV)/installed-test ## Measure (ARGS="fanout --json")
	$(PY) -m tests.bench $(ARGS)

lint: $(VENV)/installed-lint ## Check style, import direction, templates, scripts and stylesheets
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(VENV)/bin/lint-imports
	$(VENV)/bin/djlint --check --quiet .
	$(VENV)/bin/djlint --lint --quiet .
	$(VENV)/bin/biome ci --error-on-warnings .

format: $(VENV)/installed-lint ## Put code, templates, scripts and stylesheets into the house style
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .
	-$(VENV)/bin/djlint --reformat --quiet .
	$(VENV)/bin/biome check --write .

messages: install ## Gather and compile the translations (needs gettext)
	$(PY) manage.py makemessages -l zh_Hans --no-obsolete -i .venv -i var
	$(PY) manage.py compilemessages -i .venv

clean: ## Remove what running left behind, data and demo accounts included
	@if [ -x $(PY) ] && [ -d var/postgres ]; then $(PY) manage.py embedded_postgres stop; fi
	rm -rf var .pytest_cache .ruff_cache .import_linter_cache
	find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +

distclean: clean ## Remove .venv too
	rm -rf $(VENV)
