#!/usr/bin/env bash
# Sends what schemathesis makes of openapi.json to a service on loopback, and prints the counts:
#
#   scripts/conformance/openapi.sh [SCHEMATHESIS OPTION...]      such as --max-examples 100
#
# Left out are /v1/events, which never ends, and /mcp, which mcp.sh is for. That all valid data is accepted is
# not asked: two ids that contradict each other, each valid, are refused.
set -euo pipefail
version=4.32.5
source "$(dirname "${BASH_SOURCE[0]}")/service.sh"
need python3 "schemathesis runs on it"
need curl "it begins the first conversation"
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install --quiet --disable-pip-version-check "schemathesis==$version"
serve ""
curl -sf -o /dev/null -H "Authorization: Bearer $key" -H 'Content-Type: application/json' \
	-d '{"message": "where is O-12345?", "conversation_id": "s1"}' "$url/chat"
cd "$dir"
SCHEMATHESIS_HOOKS=hooks PYTHONPATH="$root/scripts/conformance" "$dir/venv/bin/schemathesis" run "$url/openapi.json" --url "$url" \
	-H "Authorization: Bearer $key" --exclude-path /v1/events --exclude-path /mcp --exclude-checks positive_data_acceptance \
	--phases examples,coverage,fuzzing --request-timeout 20 --seed 1 --max-examples 20 --no-color "$@"
