#!/usr/bin/env bash
# The storage faults at length: what CI does in seconds, in minutes.
#
#   scripts/faults/run.sh            all of them (as root also the small and read-only disks)
#   FLIPS=20000 scripts/faults/run.sh
#
# FLIPS is how many bits are turned over in the database and in its write-ahead log.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
export SLOTWAY_TEST_HEAVY=1
flips=${FLIPS:-5000}

[ "$(id -u)" = 0 ] || echo "not root: what needs a small or read-only disk is left out; as root, what needs an ordinary user"

echo "== die at each fail point, under load"
go test -count=1 -tags failpoint -run FailPoints -v ./memory/sqlite | grep -v '^=== '
echo "== $flips flips, in the file and in its log"
SLOTWAY_TEST_FLIPS=$flips go test -count=1 -timeout 60m -run 'BitFlips|LostLog' -v ./memory/sqlite | grep -v '^=== '
echo "== disks, locks, processes, versions, backups"
go test -count=1 -run 'Disk|WriteErrors|Permission|Process|Refusals|Schema|WAL|Truncated|Backup|Restore|Recover|Check' -v ./memory/sqlite | grep -v '^=== '
echo "== by the program"
go test -count=1 -run 'Faults|BadDisk' -v ./cmd/suites/hostile ./tools/sqltool | grep -v '^=== '
