#!/usr/bin/env bash
# Brings the store's schema up to date, or says where it stands:
#
#   scripts/migrate.sh up|status [--data DIR]
#
# It is `slotway migrate` for those who have a checkout and no binary. DIR and the settings
# are looked up from the folder that the script is called in.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
if [ $# -eq 0 ]; then
	echo "usage: scripts/migrate.sh up|status [--data DIR]" >&2
	exit 2
fi
# `go run` would start the program in the checkout, where a relative DIR is another one.
bin=$(mktemp -d)
trap 'rm -rf "$bin"' EXIT
go -C "$root" build -o "$bin/slotway" ./cmd/slotway
"$bin/slotway" migrate "$@"
