#!/usr/bin/env bash
# Compares the benchmarks of the hot paths in the working tree with those of the main branch:
#
#   scripts/bench/gate.sh             with the merge base of HEAD and main
#   scripts/bench/gate.sh COMMIT      with another commit
#   COUNT=20 BENCHTIME=0.5s scripts/bench/gate.sh
#   TIME=15 ALLOCS=3 scripts/bench/gate.sh
#
# Both sides are built first and then run in turns, COUNT times each (default 10), so that a noisy
# neighbour hits both. The gate fails when benchstat finds, at p < 0.05, that a benchmark takes TIME
# percent more time (default 10) or ALLOCS percent more allocations (default 2). It shows a
# benchmark that one side alone has, and does not judge it. It takes some five minutes.
#
# The exit code is 1 for a benchmark that got worse, and 2 if nothing could be compared.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
root=$PWD

# A turn as a whole, and its steps: understand, plan, mask, load and commit.
hot=(
	'./cmd/slotway ^BenchmarkHandle$'
	'./classifier/cascade ^BenchmarkClassify$'
	'./planner ^Benchmark(Plan|Save|Load)$'
	'./router/telemetry ^Benchmark(Mask|LogToolCall)$'
	'./memory/sqlite ^Benchmark(Load|Commit)$'
)

fail() {
	echo "gate: $1" >&2
	exit 2
}

case ${1:-} in
-*)
	sed -n '2,/^set/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
	exit 2
	;;
esac
count=${COUNT:-10}
[ "$count" -ge 4 ] || fail "with fewer than 4 runs of each side benchstat finds nothing"
main=main
git rev-parse -q --verify main >/dev/null || main=origin/main
base=$(git rev-parse -q --verify "${1:-$(git merge-base HEAD "$main")}^{commit}") || fail "there is no commit ${1:-like the merge base with $main}"

scratch=$(mktemp -d)
trap 'git -C "$root" worktree remove --force "$scratch/base" 2>/dev/null || true; rm -rf "$scratch"' EXIT
git worktree add --quiet --detach "$scratch/base" "$base" || fail "cannot check out $base"
echo "the working tree against $(git log -1 --format='%h, %s' "$base")"

go build -o "$scratch/bench" ./scripts/bench || fail "cannot build scripts/bench"
go build -modfile=scripts/tools.mod -o "$scratch/benchstat" golang.org/x/perf/cmd/benchstat || fail "cannot build benchstat"

# build SIDE TREE: a test binary for each package. A package that the base does not have is new.
build() {
	local entry
	for entry in "${hot[@]}"; do
		local package=${entry%% *}
		[ -d "$2/$package" ] || continue
		go -C "$2" test -c -o "$scratch/$1-${package//[.\/]/}.test" "$package" || fail "cannot build the tests of $package ($1)"
	done
}
build base "$scratch/base"
build tree "$root"

# measure SIDE TREE ENTRY: one round of one package, in its folder, where its test data lies.
measure() {
	local package=${3%% *} binary
	binary=$scratch/$1-${package//[.\/]/}.test
	[ -x "$binary" ] || return 0
	(cd "$2/$package" && "$binary" -test.run '^$' -test.bench "${3#* }" -test.benchmem -test.benchtime "${BENCHTIME:-0.3s}") \
		>>"$scratch/$1.txt" || fail "a benchmark of $package fails ($1)"
}
for ((round = 1; round <= count; round++)); do
	[ ! -t 2 ] || printf '\rround %d of %d ' "$round" "$count" >&2
	for entry in "${hot[@]}"; do
		# The side that goes first changes, so that neither has always the warmer machine.
		if ((round % 2)); then
			measure base "$scratch/base" "$entry"
			measure tree "$root" "$entry"
		else
			measure tree "$root" "$entry"
			measure base "$scratch/base" "$entry"
		fi
	done
done
[ ! -t 2 ] || printf '\r' >&2

"$scratch/benchstat" base="$scratch/base.txt" tree="$scratch/tree.txt"
"$scratch/benchstat" -format csv base="$scratch/base.txt" tree="$scratch/tree.txt" >"$scratch/compared.csv" 2>"$scratch/notes"
"$scratch/bench" gate -time "${TIME:-10}" -allocs "${ALLOCS:-2}" "$scratch/compared.csv"
