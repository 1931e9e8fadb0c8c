#!/usr/bin/env bash
# Measures Slotway beside other runtimes in one go, on this machine:
#
#   scripts/bench/peers.sh PEERS_DIR             prints the table; OUT holds it, the chart and all lines
#   scripts/bench/peers.sh -w PEERS_DIR          also writes them into docs/explanation
#   ROUNDS=3 SECONDS_EACH=5 OUT=DIR scripts/bench/peers.sh PEERS_DIR
#
# PEERS_DIR holds a folder with a harness for each runtime. It is copied to a scratch folder, where
# everything is built and installed, and removed in the end. Go, Node.js with npm and node-gyp, a C++
# compiler, and package registries are needed.
#
# Each harness has the same conversation as `slotway bench turns`, in a new session each time: with 64
# at once and with one. Slotway runs before and after each of the ROUNDS (default 1) through all
# others, so that a change of the machine shows. A measurement takes SECONDS_EACH (default 5).
#
# A runtime that cannot be built or run has its reason in the table, and the exit code is 1.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
write=
if [ "${1:-}" = -w ]; then
	write=1
	shift
fi
if [ $# -ne 1 ] || [ ! -d "$1" ]; then
	sed -n '2,/^set/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
	exit 2
fi
peers=$(cd "$1" && pwd)
each=${SECONDS_EACH:-5}
rounds=${ROUNDS:-1}
out=${OUT:-$(mktemp -d "${TMPDIR:-/tmp}/slotway-peers-XXXXXX")}
mkdir -p "$out"
out=$(cd "$out" && pwd)
lines=$out/peers.jsonl
: >"$lines"

# The databases of all runtimes lie in one place: on the same disk.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export TMPDIR=$scratch/tmp BENCH_MS=$((each * 1000))
mkdir "$TMPDIR"
cp -r "$peers" "$scratch/peers"

say() { printf '%s  %s\n' "$(date +%H:%M:%S)" "$*" >&2; }

say "build Slotway"
go -C "$root" build -o "$scratch/slotway" ./cmd/slotway
go -C "$root" build -o "$scratch/bench" ./scripts/bench

# failed ID FILE: the last line of a log that tells something is the reason.
failed() {
	local reason
	reason=$(grep -iE 'error|ERR|fail|cannot|not found|no such|exceeded' "$2" | tail -n 1 || true)
	[ -n "$reason" ] || reason=$(grep . "$2" | tail -n 1 || true)
	"$scratch/bench" failed -peer "$1" "${3:-it does not run}: ${reason:-it says nothing}" >>"$lines"
	say "$1 failed: ${reason:-without a word}"
}

# install FOLDER: what its harness needs. The scripts of packages are not run; LangGraph's driver for
# SQLite is compiled here, against the headers of this Node.js, because its own script downloads it.
install() {
	cd "$scratch/peers/$1" 2>/dev/null || { echo "there is no folder $1" && return 1; }
	case $1 in
	go-*) go build -o peer . ;;
	langgraph)
		npm ci --ignore-scripts --legacy-peer-deps --no-audit --no-fund || return
		cd node_modules/better-sqlite3 || return
		node "$(npm root -g)/npm/node_modules/node-gyp/bin/node-gyp.js" rebuild --release --nodedir="$(dirname "$(dirname "$(readlink -f "$(command -v node)")")")" -j2
		;;
	*) npm ci --ignore-scripts --no-audit --no-fund ;;
	esac
}

# Each line: the row in the table, the folder, and what the harness is told by the environment.
runs=(
	'looplab-fsm go-fsm'
	'proto-sqlite-FULL go-proto'
	'proto-sqlite-OFF go-proto SYNC=OFF'
	'proto-memory go-proto PERSIST=none'
	'eino go-eino'
	'adk-go-memory go-adk'
	'adk-go-sqliteFULL go-adk SVC=sqlite WAL=FULL'
	'xstate-snapshot xstate PERSIST=1'
	'botbuilder botbuilder'
	'nlpjs nlpjs'
	'langgraph-memory langgraph SAVER=memory'
	'langgraph-sqlite langgraph SAVER=sqlite'
	'langgraph-sqliteFULL langgraph SAVER=sqlite SYNC=FULL'
)

declare -A broken
for folder in go-fsm go-proto go-eino go-adk xstate botbuilder nlpjs langgraph; do
	say "build $folder"
	(install "$folder") >"$out/build-$folder.log" 2>&1 || broken[$folder]=1
done

# measure ID FOLDER [NAME=VALUE...]: runs a harness up to the line for 64 at once. Long histories,
# which come after it, are not compared.
measure() {
	local id=$1 folder=$2 line pid got=
	shift 2
	if [ -n "${broken[$folder]:-}" ]; then
		failed "$id" "$out/build-$folder.log" "it cannot be built"
		return
	fi
	say "$id"
	local command=(./peer)
	[ -x "$scratch/peers/$folder/peer" ] || command=(node --expose-gc bench.mjs)
	while read -r line; do
		sed "s/\"peer\":\"[^\"]*\"/\"peer\":\"$id\"/" <<<"$line" >>"$lines"
		if [[ $line == *'"scenario":"c64"'* ]]; then
			got=1
			break
		fi
	done < <(cd "$scratch/peers/$folder" && exec env "$@" timeout 300 "${command[@]}" 2>"$out/run-$id.log")
	pid=$!
	kill "$pid" 2>/dev/null || true
	wait "$pid" 2>/dev/null || true
	[ -n "$got" ] || failed "$id" "$out/run-$id.log"
	rm -rf "${TMPDIR:?}"/*
}

ours() {
	local sessions how
	for how in '--durability durable --tools sql' '--durability none --tools static'; do
		for sessions in 64 1; do
			say "slotway bench turns --sessions $sessions $how"
			# shellcheck disable=SC2086 # these are several arguments
			"$scratch/slotway" bench turns --json --sessions "$sessions" --duration "${each}s" $how >>"$lines" 2>"$out/run-slotway.log" ||
				failed "slotway-$(cut -d' ' -f2,4 <<<"$how" | tr ' ' -)" "$out/run-slotway.log"
		done
	done
}

ours
for ((round = 1; round <= rounds; round++)); do
	for entry in "${runs[@]}"; do
		# shellcheck disable=SC2086 # these are several arguments
		measure $entry
	done
	ours
done

status=0
into=()
[ -z "$write" ] || into=(-into "$root/docs/explanation/performance.md")
"$scratch/bench" table -peers "$scratch/peers" -md "$out/peers.md" -svg "$out/peers.svg" "${into[@]}" "$lines" || status=$?
[ -z "$write" ] || cp "$out/peers.svg" "$root/docs/explanation/peers.svg"
say "all lines and logs, the table and the chart are in $out"
exit "$status"
