#!/usr/bin/env bash
# Power cuts and failing syncs at length: what CI does in seconds, in minutes. No rights and no
# mount are needed: internal/test/disktest stands between SQLite and the system.
#
#   scripts/powercut/run.sh             as many cuts as CUTS says, others each time
#   CUTS=5000 scripts/powercut/run.sh
#   scripts/powercut/run.sh plants      faults planted in a copy: the tests must find each
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

if [ "${1:-}" = plants ]; then
	exec go run ./scripts/powercut
fi
cuts=${CUTS:-1000}
echo "== $cuts power cuts under load, some with failing syncs of the log"
SLOTWAY_TEST_CUTS=$cuts go test -count=1 -timeout 60m -run 'PowerCutsUnderLoad' -v ./memory/sqlite | grep -v '^=== '
echo "== what was acknowledged, at every step: turns, migrations, backups, restores, files, keys, tools"
go test -count=1 -run 'Outlast|PowerCuts|LostCommit|FailedSyncs|InPlaceLasts|NotSynced' -v \
	./config/durable ./memory/sqlite ./tools/sqltool ./cmd/slotway | grep -v '^=== '
