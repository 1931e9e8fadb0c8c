#!/usr/bin/env bash
# Every check that a change must pass, here and in CI.
#
#   scripts/check.sh            all of them (as: scripts/check.sh all)
#   scripts/check.sh fmt vet    some of them, in the order given
#
# The tools are pinned in scripts/tools.mod, a module file of its own, so that go.mod lists
# nothing but what the program needs. The first run builds them, which takes a minute.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
root=$PWD

# scripts/lab converts recorded data and trains the models that ship, scripts/site makes a site of the
# documents, scripts/release packs a release, cmd/suites/browser tests the studio in a browser. They are
# modules of their own, so that the program's module tests and requires little.
modules=(. scripts/lab scripts/site scripts/release cmd/suites/browser)

usage() {
	cat <<'TEXT'
usage: scripts/check.sh [CHECK...]
  fmt     gofumpt has nothing to change
  vet     go vet
  fix     go fix has nothing to modernise
  tidy    go.mod and go.sum are tidy
  static  staticcheck
  lint    golangci-lint as .golangci.yml says, and no verb that prints hidden fields
  build   everything builds without cgo
  test    all tests, heavy ones and fuzz seeds among them, in random order: with the race detector,
          which some leave a part out for, and without
  vuln    no known vulnerability is reachable (left out where vuln.go.dev cannot be reached)
  all     all of these; the default
  mutate  not in all: MUTANTS (default 36) changes drawn with SEED (default 1) in planner and router, and
          12 in memory/sqlite, and which of them no test minds; some ten minutes
  fuzz    not in all: fuzz every target for FUZZTIME (default 10s), and count the executions
TEXT
}

tool() { go tool -modfile="$root/scripts/tools.mod" "$@"; }

# each runs a command in the folder of every module, and fails if any of them does.
each() {
	local module status=0
	for module in "${modules[@]}"; do
		cd "$root/$module" && "$@" || status=1
	done
	cd "$root" && return "$status"
}

# silent runs a command that must print nothing and succeed.
silent() {
	local out status=0
	out=$("$@" 2>&1) || status=$?
	if [ -n "$out" ] || [ "$status" -ne 0 ]; then
		printf '%s\n' "$out"
		return 1
	fi
}

check_fmt() { silent tool gofumpt -l . || { echo "run: go tool -modfile=scripts/tools.mod gofumpt -w ."; return 1; }; }
check_vet() { each go vet ./...; }
check_fix() { each silent go fix -diff ./... || { echo "run: go fix ./... in the module"; return 1; }; }
check_tidy() { each silent go mod tidy -diff || { echo "run: go mod tidy in the module"; return 1; }; }
check_static() { each tool staticcheck ./...; }
check_build() { CGO_ENABLED=0 each go build ./...; }

check_test() {
	export SLOTWAY_TEST_HEAVY=1
	if [ -z "$(c_compiler)" ]; then
		echo "No C compiler found. The program needs none, but the race detector does:"
		echo "install gcc or clang, or set CC. Testing without the race detector."
		CGO_ENABLED=0 each go test -shuffle=on ./...
		return
	fi
	RAPID_CHECKS=25 CGO_ENABLED=1 each go test -race -shuffle=on ./... && CGO_ENABLED=0 each go test -shuffle=on ./...
}

# c_compiler prints the path of the compiler that cgo would use, or nothing.
c_compiler() {
	local cc
	cc=$(go env CC)
	command -v "${cc%% *}" || true
}

check_vuln() {
	local out status=0
	out=$(each tool govulncheck ./... 2>&1) || status=$?
	# Offline is no finding: the error names the database that could not be fetched.
	if [ "$status" -ne 0 ] && grep -q 'fetching vulnerabilities' <<<"$out"; then
		echo "left out: the vulnerability database cannot be reached"
		return 0
	fi
	printf '%s\n' "$out"
	return "$status"
}

# fuzz_target prints what one target did: its executions and how it ended.
fuzz_target() {
	local package=$1 target=$2 out status=0 runs
	out=$(go test -run '^$' -fuzz "^$target\$" -fuzztime "${FUZZTIME:-10s}" "$package" 2>&1) || status=$?
	runs=$(grep -o 'execs: [0-9]*' <<<"$out" | tail -n 1 | grep -o '[0-9]*$')
	# The go command may report the end of its own time as a failure, without a failing input.
	if [ "$status" -ne 0 ] && grep -q 'context deadline exceeded' <<<"$out" && ! grep -q 'Failing input' <<<"$out"; then
		status=0
	fi
	printf '%12d  %s %s%s\n' "${runs:-0}" "${package#github.com/slotway/slotway/}" "$target" "$([ "$status" -eq 0 ] || echo ': FAILED')"
	[ "$status" -eq 0 ] || printf '%s\n' "$out"
	fuzz_runs=$((fuzz_runs + ${runs:-0}))
	return "$status"
}

# Its module file is a third one: it lists 200 modules, and would move the versions of the
# other tools. Building it takes a minute and a half of processor time, once.
check_lint() {
	local raw status=0
	# They print unexported fields raw, whatever methods a type has that hides a value. Those
	# named hash a configuration, report to tests, and tell of the verb.
	raw=$(git grep -nE '%[+#]v' -- '*.go' ':!*_test.go' ':!internal/test/storetest' ':!internal/test/faulttest' ':!internal/test/vectortest' ':!classifier/cascade/cache.go' ':!tools/errors.go') || true
	if [ -n "$raw" ]; then
		printf '%s\nprint names and counts instead\n' "$raw"
		status=1
	fi
	each go tool -modfile="$root/scripts/lint.mod" golangci-lint run --config "$root/.golangci.yml" ./... || status=1
	return "$status"
}

check_fuzz() {
	local package target status=0
	fuzz_runs=0
	while read -r package; do
		for target in $(go test -list '^Fuzz' "$package" | grep '^Fuzz'); do
			fuzz_target "$package" "$target" || status=1
		done
	done < <(go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' ./... | grep .)
	printf '%12d  executions in all\n' "$fuzz_runs"
	return "$status"
}

check_mutate() {
	go run ./scripts/mutate -n "${MUTANTS:-36}" -seed "${SEED:-1}" || return
	go run ./scripts/mutate -n 12 -seed "${SEED:-1}" memory/sqlite
}

all=(fmt vet fix tidy static lint build test vuln)
[ $# -gt 0 ] || set -- all
failed=()
for name in "$@"; do
	case $name in
	all) names=("${all[@]}") ;;
	fmt | vet | fix | tidy | static | build | test | vuln | lint | fuzz | mutate) names=("$name") ;;
	-h | --help | help)
		usage
		exit 0
		;;
	*)
		echo "scripts/check.sh: there is no check $name" >&2
		usage >&2
		exit 2
		;;
	esac
	for check in "${names[@]}"; do
		echo "== $check"
		"check_$check" 2>&1 || failed+=("$check")
	done
done
if [ ${#failed[@]} -gt 0 ]; then
	echo "FAILED: ${failed[*]}"
	exit 1
fi
echo "passed"
