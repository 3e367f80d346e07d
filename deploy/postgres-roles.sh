#!/bin/sh
# Creates the product's roles in PostgreSQL. The image runs it once, on an empty volume. For a volume of an earlier version, run:
#   docker compose exec postgres sh /docker-entrypoint-initdb.d/postgres-roles.sh
set -eu
: "${POSTGRES_OWNER_PASSWORD:?set POSTGRES_OWNER_PASSWORD in .env}" "${POSTGRES_APP_PASSWORD:?set POSTGRES_APP_PASSWORD in .env}"
# Uses SET, which prints nothing, so that passwords are not logged.
psql --quiet --no-psqlrc --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
\getenv owner_password POSTGRES_OWNER_PASSWORD
\getenv application_password POSTGRES_APP_PASSWORD
set tributary.owner = 'tributary_owner';
set tributary.owner_password = :'owner_password';
set tributary.application = 'tributary_app';
set tributary.application_password = :'application_password';
\i /etc/tributary/postgres-roles.sql
SQL
