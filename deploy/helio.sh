#!/bin/sh
# The `helio` command of the Debian package and of the image: the gateway with the Node that came with it. It reads the same
# settings as the service, and root becomes the service's user, so that no file of the data folder belongs to root.
set -eu
settings=/etc/heliograph/heliograph.env
set -- /usr/lib/heliograph/node_modules/heliograph/bin/helio.js "$@"
# A variable that is set already wins over the file.
if [ -r "$settings" ]; then set -- "--env-file=$settings" "$@"; fi
set -- /usr/lib/heliograph/bin/node "$@"
if [ "$(id -u)" = 0 ] && id heliograph >/dev/null 2>&1; then
  set -- setpriv --reuid=heliograph --regid=heliograph --init-groups -- "$@"
fi
exec "$@"
