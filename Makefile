# Needs git, make and Node 20 or newer. npm installs everything else, including Node 24 and PostgreSQL. On macOS it has no Node, so
# Node 22.18 or newer is needed there.

SHELL := /bin/sh
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)
name ?=
backup ?=
arguments ?=

.PHONY: help start dev test test-changed test-compose check fix api connector migrate reset bench simulate drill install rotate-keys rebuild-facts backup restore
.DEFAULT_GOAL := help

help: ## list the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## /\1\t/' | awk -F '\t' '{ printf "  make %-13s %s\n", $$1, $$2 }'

# Runs before node_modules exists, with the installed Node.
install:
	@node tools/install/ensure-installed.mjs

start: install ## start Tributary on this machine with demo data (PORT=3000)
	@exec node tools/start/main.ts

dev: install ## like start, and reload when a source file changes
	@exec node tools/start/main.ts --dev

test: install ## run all checks and tests
	@exec node tools/test/main.ts

test-changed: install ## check and the tests that the changes since main can break (BASE=<commit>)
	@exec node tools/test/main.ts --changed

test-compose: install ## build the image and start the services of docker-compose.yml; needs Docker
	@exec node tools/compose/main.ts

check: install ## check format, types, lint, import rules and generated files
	@exec node tools/check/main.ts

fix: install ## format the code and fix lint errors
	@oxfmt
	@eslint --fix .
	@oxlint --fix

api: install ## regenerate the OpenAPI document, the web app's API types, the dbt package and the data dictionary
	@npm run --silent build -w backend && npm run --silent openapi -w backend && node backend/scripts/write-dbt-package.mjs && npm run --silent api -w frontend
	@node tools/database/dictionary.ts

connector: install ## generate the folder of a new connector (name=acme_ads)
	@test -n "$(name)" || { echo 'Enter a name: make connector name=acme_ads'; exit 2; }
	@node tools/connector/main.ts "$(name)"

migrate: install ## create a migration from prisma/schema (name=add_tags)
	@test -n "$(name)" || { echo 'Enter a name: make migrate name=add_tags'; exit 2; }
	@node tools/test-with-database.ts -- prisma migrate dev --name "$(name)"
	@node tools/database/migration-limits.ts

reset: install ## delete .data (databases, users and logs)
	@node tools/start/reset.ts

backup: install ## back up the running instance (backup=<new folder>)
	@node tools/backup/main.ts backup --backup "$(backup)"

restore: install ## restore a backup; needs make reset before (backup=<folder>)
	@test -n "$(backup)" || { echo 'Enter a backup: make restore backup=<folder>'; exit 2; }
	@node tools/backup/main.ts restore --backup "$(backup)"

# The next two use the settings of the product, as environment variables (docs/operations.md). They build the backend only if there is no
# build, because a running product reads its files.
rotate-keys: install ## encrypt stored credentials with a new ENCRYPTION_KEY (needs the settings; arguments=--data-keys)
	@test -f backend/dist/src/rotate-keys.js || npm run --silent build -w backend
	@node backend/dist/src/rotate-keys.js $(arguments)

rebuild-facts: install ## compute what the list of connections shows again (needs the settings)
	@test -f backend/dist/src/rebuild-connection-facts.js || npm run --silent build -w backend
	@node backend/dist/src/rebuild-connection-facts.js

bench: install ## run the benchmarks and compare with their targets
	@npm run --silent bench -w backend

simulate: install ## run a compressed day of 20,000 connections and report the first limit (CONNECTIONS ORGANIZATIONS MINUTES WORKERS APIS)
	@npm run --silent simulate -w backend

drill: install ## run all pairs under 1,000 faults and compare every row (FAULTS=200 SEED=1 MINUTES=15)
	@npm run --silent drill -w backend
