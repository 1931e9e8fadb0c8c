#!/usr/bin/env bash
# Counts what two chat turns of the embedded agent run: functions, files and packages, and those of each room.
# It builds slotway with coverage, serves without a message and with two, and subtracts the counts. What a start runs differs a
# little from start to start (training most of all), so that it trains first, and takes the highest counts of five starts.
#
#   scripts/turn.sh           the figures
#   scripts/turn.sh --list    every function, by file
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go build -cover -covermode=count -coverpkg=./... -o "$dir/slotway" ./cmd/slotway
port=$((20000 + RANDOM % 20000))

# serve runs a service and posts the messages that it is given.
serve() {
	local name=$1 pid message
	shift
	mkdir "$dir/$name"
	if [ -d "$dir/trained" ]; then cp -r "$dir/trained" "$dir/data-$name"; fi
	GOCOVERDIR="$dir/$name" "$dir/slotway" --data "$dir/data-$name" serve --addr "127.0.0.1:$port" 2>"$dir/$name.log" &
	pid=$!
	for _ in $(seq 600); do
		curl -fsS "http://127.0.0.1:$port/healthz" >/dev/null 2>&1 && break
		sleep 0.1
	done
	for message in "$@"; do
		curl -fsS "http://127.0.0.1:$port/chat" -H 'Content-Type: application/json' \
			-d "{\"message\": \"$message\", \"conversation_id\": \"c1\"}" >>"$dir/replies"
		echo >>"$dir/replies"
	done
	kill "$pid"
	wait "$pid"
	go tool covdata textfmt -i="$dir/$name" -o="$dir/$name.txt"
}

serve first
mkdir "$dir/trained"
cp -r "$dir/data-first/classifiers" "$dir/trained/"
for n in 1 2 3 4 5; do serve "without$n"; done
serve with "I want to check my order" "It's O-12345"
grep -o '"reply":"[^"]*"' "$dir/replies" >&2

# The functions with their first lines, then the blocks: those that ran more often with the messages belong to the turns.
go tool cover -func="$dir/with.txt" | awk '$1 ~ /:[0-9]+:$/ { split($1, at, ":"); print at[1], at[2], $2 }' >"$dir/functions"
awk -v list="${1:-}" -v base="$(go list -m)/" '
	FILENAME ~ /functions$/ { n[$1]++; line[$1, n[$1]] = $2; name[$1, n[$1]] = $3; next }
	FNR == 1 { next }
	FILENAME ~ /without[1-5].txt$/ { if ($3 > before[$1]) before[$1] = $3; next }
	$3 > before[$1] {
		split($1, at, ":"); split(at[2], from, ".")
		best = 0
		for (i = 1; i <= n[at[1]]; i++) if (line[at[1], i] + 0 <= from[1] + 0 && line[at[1], i] + 0 >= line[at[1], best] + 0) best = i
		ran[at[1] " " name[at[1], best] " " line[at[1], best]] = 1
	}
	END {
		for (f in ran) {
			functions++
			split(f, part, " "); file = substr(part[1], length(base) + 1)
			if (!(file in files)) count++
			files[file]++
			package = file; if (!sub(/\/[^\/]*$/, "", package)) package = "."
			if (!(package in packages)) kinds++
			packages[package]++
			room = file; if (room ~ /\//) sub(/\/.*/, "", room); else room = "root"
			rooms[room]++
			if (list == "--list") print file, part[2] | "sort"
		}
		close("sort")
		printf "two turns run %d functions in %d files of %d packages\n", functions, count, kinds
		for (room in rooms) printf "%-12s%d functions\n", room, rooms[room] | "sort"
	}
' "$dir/functions" "$dir"/without?.txt "$dir/with.txt"
