#!/usr/bin/env bash
# Runs a Rasa action server with actions.py, for the test of tools/rasatool:
#
#	scripts/rasa/serve.sh [PORT]        serve until it is ended; default 5055
#	scripts/rasa/serve.sh --test        serve, run the test against it, end
#
# The first run makes a Python environment in $SLOTWAY_RASA_VENV (default: a folder of the
# user's cache) from requirements.txt.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
venv=${SLOTWAY_RASA_VENV:-${XDG_CACHE_HOME:-$HOME/.cache}/slotway-rasa}

if ! cmp -s "$here/requirements.txt" "$venv/installed.txt"; then
	python3 -m venv "$venv"
	"$venv/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt"
	cp "$here/requirements.txt" "$venv/installed.txt"
fi

serve() {
	cd "$here"
	PYTHONDONTWRITEBYTECODE=1 SANIC_HOST=127.0.0.1 exec "$venv/bin/python" -m rasa_sdk --actions actions --port "$1"
}

if [[ ${1:-} != --test ]]; then
	serve "${1:-5055}"
fi

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
log=$(mktemp)
(serve "$port") >"$log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; rm -f "$log"' EXIT
for _ in $(seq 150); do
	kill -0 "$server" 2>/dev/null || { cat "$log" >&2; exit 1; }
	if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
		cd "$here/../.."
		SLOTWAY_TEST_RASA_URL="http://127.0.0.1:$port" go test -count=1 -run 'TestRasa' -v ./tools/rasatool
		exit
	fi
	sleep 0.2
done
echo "the action server did not start:" >&2
cat "$log" >&2
exit 1
