# Needs git, make and Node 20 or newer. Node 24 itself, PostgreSQL and everything else come from npm.

SHELL := /bin/sh
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)
name ?=
arguments ?=

.PHONY: help start dev test test-changed check fix api migrate reset bench install rotate-keys
.DEFAULT_GOAL := help

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## /\1\t/' | awk -F '\t' '{ printf "  make %-12s %s\n", $$1, $$2 }'

# Runs under the oldest Node that may call make, before node_modules exists.
install:
	@node tools/install/ensure-installed.mjs

start: install ## run everything on this machine with a demo (PORT=3000)
	@exec node tools/start/main.ts

dev: install ## the same, reloading at every save
	@exec node tools/start/main.ts --dev

test: install ## check and every test; the last line sums them
	@exec node tools/test/main.ts

test-changed: install ## check and the tests that the changes since main can break (BASE=<commit>)
	@exec node tools/test/main.ts --changed

check: install ## format, lint, types, boundaries, generated files
	@exec node tools/check/main.ts

fix: install ## format and lint, mending what can be mended
	@prettier --write --log-level warn .
	@eslint --fix .

api: install ## regenerate the API document and the web app's types
	@npm run --silent build -w backend && npm run --silent openapi -w backend && npm run --silent api -w frontend

migrate: install ## write a migration for what changed in prisma/schema (name=add_tags)
	@test -n "$(name)" || { echo 'Give it a name: make migrate name=add_tags'; exit 2; }
	@node tools/test-with-database.ts -- prisma migrate dev --name "$(name)"

reset: install ## empty .data: databases, users, logs
	@node tools/start/reset.ts

rotate-keys: install ## put stored credentials under a new ENCRYPTION_KEY (arguments=--data-keys)
	@npm run --silent build -w backend && node backend/dist/src/rotate-keys.js $(arguments)

bench: install ## measure against the figures to reach
	@npm run --silent bench -w backend
