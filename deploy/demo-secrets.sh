#!/bin/sh
# Creates the secrets of the demo (docker-compose.yml, profile demo) in .secrets/demo, and a .env that starts only its services.
# Existing files are kept: the database of an existing volume has their passwords. Run it from anywhere: sh deploy/demo-secrets.sh
set -eu
cd "$(dirname "$0")/.."
umask 077

if [ -e .env ] && ! grep -q '^PRODUCT_SCALE=0$' .env; then
  echo '.env exists and is not that of a demo. Use another copy of the repository for the demo.' >&2
  exit 1
fi

folder=.secrets/demo
mkdir -p "$folder"

random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
# Writes a file only once: keep <name> <value>
keep() { [ -s "$folder/$1" ] || printf '%s\n' "$2" > "$folder/$1"; }
url() { printf 'postgresql://%s:%s@127.0.0.1:5432/%s' "$1" "$2" "$3"; }

keep postgres_password "$(random)"
keep superuser_url "$(url postgres "$(cat "$folder/postgres_password")" warehouse)"
keep database_url "$(url tributary_app "$(random)" tributary)"
keep migration_database_url "$(url tributary_owner "$(random)" tributary)"
# The server has no TLS. It is reached only from its own network namespace.
keep warehouse_url "$(url warehouse "$(random)" warehouse)?sslmode=disable"
keep encryption_key "$(head -c 32 /dev/urandom | base64)"
keep password "$(random)"

# The containers run as the owner of the files. root gives them to the user node of the image.
owner="$(id -u):$(id -g)"
if [ "$(id -u)" = 0 ]; then
  owner=1000:1000
  chown -R "$owner" .secrets
fi

# Compose reads these passwords also for services that it does not start.
[ -e .env ] || cat > .env <<END
PRODUCT_SCALE=0
DEMO_USER=$owner
POSTGRES_PASSWORD=$(random)
POSTGRES_OWNER_PASSWORD=$(random)
POSTGRES_APP_PASSWORD=$(random)
END
echo "Sign in as demo@example.com with the password in $folder/password, after: docker compose --profile demo up"
