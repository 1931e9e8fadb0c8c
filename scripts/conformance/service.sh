# Sourced by the scripts beside it: a folder that goes with the script, the service on a free
# port of loopback, and where it answers.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
dir=$(mktemp -d)
pid=
finish() {
	[ -z "$pid" ] || kill "$pid" 2>/dev/null || true
	rm -rf "$dir"
}
trap finish EXIT

need() {
	command -v "$1" >/dev/null || { echo "$1 is not installed: $2" >&2; exit 3; }
}

# serve AGENT|"" [open] starts the service and sets $url: with a key, $key, or open to this
# machine.
serve() {
	local agent=()
	[ -z "$1" ] || agent=(--agent "$1")
	go -C "$root" build -o "$dir/slotway" ./cmd/slotway
	local common=("${agent[@]}" --data "$dir/data" --set telemetry.log=none --set server.limits.rate=0)
	[ "${2:-}" = open ] || common+=(--set "server.auth.keys_file=$dir/keys.yaml")
	[ "${2:-}" = open ] || key=$("$dir/slotway" "${common[@]}" keys new --name conformance --user ann --scopes chat,read,admin 2>/dev/null)
	"$dir/slotway" "${common[@]}" serve --addr 127.0.0.1:0 2>"$dir/serve.log" &
	pid=$!
	for _ in $(seq 100); do
		url=$(sed -n 's/^listening on //p' "$dir/serve.log")
		[ -z "$url" ] || return 0
		kill -0 "$pid" 2>/dev/null || break
		sleep 0.1
	done
	cat "$dir/serve.log" >&2
	exit 1
}
