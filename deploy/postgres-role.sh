#!/bin/sh
# Makes the role and the database of the service: it owns its database and is no superuser, so whoever gets its password gets no more than that.
set -eu
psql -v ON_ERROR_STOP=1 -v role="${HOLDFAST_DATABASE_ROLE:-holdfast}" -v password="$HOLDFAST_DATABASE_PASSWORD" \
  --username "${POSTGRES_USER:-postgres}" --dbname "${POSTGRES_DB:-postgres}" <<'SQL'
CREATE ROLE :"role" LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD :'password';
CREATE DATABASE :"role" OWNER :"role";
REVOKE CONNECT ON DATABASE :"role" FROM PUBLIC;
SQL
