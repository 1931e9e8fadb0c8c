#!/usr/bin/env bash
# The programs and servers that some tests talk to, on loopback, without containers.
#
#   scripts/services.sh start [NAME...]   install what is missing, start it, wait until it answers
#   scripts/services.sh env [NAME...]     print export lines for the tests
#   scripts/services.sh stop [NAME...]    stop it
#
# Without a name: all of them.
#   browser  Chromium, for the studio's tests (nothing runs; it is only installed)
#   openai   the npm client of OpenAI (nothing runs)
#   mcp      the reference MCP server that has everything, over stdio and HTTP
#   rasa     a Rasa action server with services/rasa/actions.py
#   otelcol  an OpenTelemetry collector that prints what it is sent
# They live under SERVICES_DIR (default: a folder of the user's in the temporary folder).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=${SERVICES_DIR:-${TMPDIR:-/tmp}/slotway-services-$(id -u)}
names=(browser openai mcp rasa otelcol)
mcp_port=${SERVICES_MCP_PORT:-27801}
rasa_port=${SERVICES_RASA_PORT:-27803}
otelcol_port=${SERVICES_OTELCOL_PORT:-27802}

say() { printf '%s\n' "$*" >&2; }

# apt installs Debian packages, as root only.
apt() {
	say "installing $*"
	[ "$(id -u)" = 0 ] || { say "install these packages first: $*"; return 1; }
	apt-get update -q >/dev/null
	DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "$@" >/dev/null
}

# node_package installs the locked packages of services/node/NAME.
node_package() {
	command -v npm >/dev/null || apt nodejs npm
	local to=$root/node/$1
	mkdir -p "$to"
	cp "$here/services/node/$1"/*.* "$to/"
	cmp -s "$to/package-lock.json" "$to/installed" && return
	say "installing the npm packages of $1"
	(cd "$to" && npm ci --silent --no-audit --no-fund)
	cp "$to/package-lock.json" "$to/installed"
}

# background starts a command in a group of its own, so that stop ends its children too.
background() {
	local name=$1
	shift
	setsid "$@" >"$root/$name.log" 2>&1 </dev/null &
	echo $! >"$root/$name.pid"
}

alive() { [ -s "$root/$1.pid" ] && kill -0 "$(cat "$root/$1.pid")" 2>/dev/null; }

# await waits until an HTTP server answers anything at all.
await() {
	for _ in $(seq 300); do
		curl -s -o /dev/null -m 2 "$2" && return
		alive "$1" || break
		sleep 0.1
	done
	say "$1 does not answer at $2; the end of its log:"
	tail -n 20 "$root/$1.log" >&2
	return 1
}

start_browser() { command -v chromium >/dev/null || apt chromium; }
env_browser() { :; }

start_openai() { node_package openai; }
env_openai() { echo "export SLOTWAY_TEST_OPENAI_NODE='$root/node/openai'"; }

everything=node_modules/@modelcontextprotocol/server-everything/dist/index.js
start_mcp() {
	node_package mcp
	alive mcp || PORT=$mcp_port background mcp node -r "$root/node/mcp/loopback.cjs" "$root/node/mcp/$everything" streamableHttp
	await mcp "http://127.0.0.1:$mcp_port/mcp"
}
env_mcp() {
	echo "export SLOTWAY_TEST_MCP_NODE='$root/node/mcp'"
	echo "export SLOTWAY_TEST_MCP_URL='http://127.0.0.1:$mcp_port/mcp'"
	echo "export SLOTWAY_TEST_MCP_STDIO='node $root/node/mcp/$everything stdio'"
}

start_rasa() {
	local to=$root/rasa wanted=$here/services/rasa/requirements.txt
	if ! cmp -s "$wanted" "$to/installed"; then
		say "installing the Rasa SDK"
		python3 -m venv "$to/venv" 2>/dev/null || { apt python3-venv && python3 -m venv "$to/venv"; }
		"$to/venv/bin/pip" install --quiet --disable-pip-version-check -r "$wanted"
		cp "$wanted" "$to/installed"
	fi
	cp "$here/services/rasa/actions.py" "$to/"
	alive rasa || SANIC_HOST=127.0.0.1 background rasa env -C "$to" "$to/venv/bin/python" -m rasa_sdk --actions actions --port "$rasa_port"
	await rasa "http://127.0.0.1:$rasa_port/health"
}
env_rasa() { echo "export SLOTWAY_TEST_RASA_URL='http://127.0.0.1:$rasa_port'"; }

start_otelcol() {
	if ! alive otelcol; then
		say "building the collector"
		(cd "$here/services/otelcol" && go build -o "$root/otelcol" .)
		background otelcol "$root/otelcol" "127.0.0.1:$otelcol_port"
	fi
	await otelcol "http://127.0.0.1:$otelcol_port/v1/traces"
}
env_otelcol() {
	echo "export SLOTWAY_TEST_OTLP_URL='http://127.0.0.1:$otelcol_port'"
	echo "export SLOTWAY_TEST_OTLP_LOG='$root/otelcol.log'"
}

stop() {
	alive "$1" && kill -- "-$(cat "$root/$1.pid")" || true
	rm -f "$root/$1.pid"
}

verb=${1:-}
shift || true
[ $# -gt 0 ] || set -- "${names[@]}"
for name in "$@"; do
	[[ " ${names[*]} " == *" $name "* ]] || { say "there is no service $name; there are: ${names[*]}"; exit 2; }
done
mkdir -p "$root"
for name in "$@"; do
	case $verb in
	start | env) "${verb}_$name" ;;
	stop) stop "$name" ;;
	*)
		sed -n '2,/^set/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
		exit 2
		;;
	esac
done
