#!/bin/sh
# What a container does, by ROLE. exec: the process itself receives the signal that ends the container.
set -eu
cd /app
if [ "${ROLE:-all}" = migrate ]; then
  # Compose and Kubernetes hand secrets over as files.
  if [ -z "${DATABASE_URL:-}" ] && [ -n "${DATABASE_URL_FILE:-}" ]; then
    DATABASE_URL="$(cat "$DATABASE_URL_FILE")"
    export DATABASE_URL
  fi
  node node_modules/prisma/build/index.js migrate deploy
fi
# With ROLE=migrate this adds the job queue's own tables, and ends.
exec node --enable-source-maps backend/dist/src/main.js
