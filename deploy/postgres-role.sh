#!/bin/sh
# Creates the service's role and database. The role owns only this database and is not a superuser, so a leaked password exposes nothing else.
set -eu
psql -v ON_ERROR_STOP=1 -v role="${HOLDFAST_DATABASE_ROLE:-holdfast}" -v password="$HOLDFAST_DATABASE_PASSWORD" \
  --username "${POSTGRES_USER:-postgres}" --dbname "${POSTGRES_DB:-postgres}" <<'SQL'
CREATE ROLE :"role" LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD :'password';
CREATE DATABASE :"role" OWNER :"role";
REVOKE CONNECT ON DATABASE :"role" FROM PUBLIC;
SQL
