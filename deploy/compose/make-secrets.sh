#!/bin/sh
# Makes what is secret in the folder $1, unless it is there: the key of the store, the password of the database, the token of
# the metrics and the password of Grafana. Each file belongs to the user of the container that reads it.
set -eu
cd "$1"
umask 077
gateway=10001 postgres=999 prometheus=65534 grafana=472

random() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }

# put OWNER FILE: stdin becomes the file.
put() {
  mkdir -p "$(dirname "$2")"
  cat >"$2.part"
  chown "$1" "$(dirname "$2")" "$2.part"
  mv "$2.part" "$2"
}

if [ ! -e gateway/secret.key ]; then random | put $gateway gateway/secret.key; fi
if [ ! -e postgres/password ]; then random | put $postgres postgres/password; fi
if [ ! -e gateway/metrics-token ]; then random | put $gateway gateway/metrics-token; fi
if [ ! -e grafana/password ]; then random | put $grafana grafana/password; fi
# The same secret for the other side.
printf '*:*:*:*:%s\n' "$(cat postgres/password)" | put $gateway gateway/pgpass
put $prometheus prometheus/metrics-token <gateway/metrics-token
chmod 0711 .
