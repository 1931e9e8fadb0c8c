#!/usr/bin/env bash
# Builds a release from the commit that is checked out, into dist/, and publishes nothing.
#
#   scripts/release.sh v0.1.0            the version that the commit is, or will be, tagged with
#   scripts/release.sh                   the version of the commit's tag
#   scripts/release.sh --verify v0.1.0   builds it twice, in other folders, caches and time zones, and
#                                        compares every byte
#
# It refuses what nobody could build again: a tree with changes, a version of another form, one that the
# CHANGELOG has no heading for, and a tag that is at another commit. docs/operate/releases.md says what
# is in dist/ and how to check a download.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD

# Nothing of the caller's settings may reach the binaries: the go command would build for another
# processor, with other flags or with modules from elsewhere.
unset GOFLAGS GOEXPERIMENT GODEBUG GOOS GOARCH GOFIPS140 CGO_CFLAGS CGO_LDFLAGS
export GOFLAGS='' GOENV=off GOWORK=off CGO_ENABLED=0 GOAMD64=v1 GOARM64=v8.0 LC_ALL=C

die() {
	echo "scripts/release.sh: $*" >&2
	exit 1
}

verify=
if [ "${1:-}" = --verify ]; then
	verify=yes
	shift
fi
[ $# -le 1 ] || die "one version at most, got $#"
commit=$(git rev-parse HEAD)
version=${1:-$(git describe --tags --exact-match HEAD 2>/dev/null || true)}
number=${version#v}

[ -n "$version" ] || die "the commit has no tag: name the version, such as v0.1.0"
[[ $version =~ ^v(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$ ]] ||
	die "$version is no version: it has the form v1.2.3 or v1.2.3-rc.1"
[ -z "$(git status --porcelain)" ] || die "the tree has changes: commit them, or build in a clean clone"
# Not with grep -q in a pipe: git would be ended early, which counts as a failure.
git show "$commit:CHANGELOG.md" | grep -E "^## \[${number//./\\.}\] - [0-9]{4}-[0-9]{2}-[0-9]{2}\$" >/dev/null ||
	die "CHANGELOG.md has no heading ## [$number] - YYYY-MM-DD"
if tagged=$(git rev-parse --verify --quiet "refs/tags/$version^{commit}"); then
	[ "$tagged" = "$commit" ] || die "$version is the tag of another commit, $tagged"
else
	echo "$version is no tag yet: tag $commit before anything of this is published"
fi
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct "$commit")
export SOURCE_DATE_EPOCH

# build WORK OUT builds everything in the folder WORK and packs it into OUT.
build() {
	local work=$1 out=$2 platform host
	# A clone has nothing that git ignores, and only this tag: the go command takes the version from it.
	git clone --quiet --no-tags --config core.autocrlf=false "$root" "$work/source"
	git -C "$work/source" checkout --quiet --detach "$commit"
	git -C "$work/source" tag --no-sign "$version"
	for platform in $(go run -C "$work/source/scripts/release" . -platforms); do
		echo "building $platform"
		compile "$work" "$platform"
	done
	host=$(go env GOHOSTOS)_$(go env GOHOSTARCH)
	[ -d "$work/builds/$host" ] || compile "$work" "$host"
	[[ $("$work/builds/$host/slotway" version) == "slotway $version $commit "* ]] || die "the program says another version"
	texts "$work/builds/$host/slotway" "$work/builds"
	go run -C "$work/source/scripts/release" . -version "$version" -commit "$commit" -epoch "$SOURCE_DATE_EPOCH" \
		-source "$work/source" -builds "$work/builds" -out "$out"
}

# compile WORK PLATFORM builds the program, without the tables that only debuggers read.
compile() {
	mkdir -p "$1/builds/$2"
	GOOS=${2%_*} GOARCH=${2#*_} go build -C "$1/source" -trimpath -buildvcs=true -ldflags='-s -w' -o "$1/builds/$2/" ./cmd/slotway
}

# texts PROGRAM FOLDER has the program write its manual pages and completions.
texts() {
	"$1" man "$2/man1"
	mkdir -p "$2/completions"
	"$1" completion bash >"$2/completions/slotway.bash"
	"$1" completion zsh >"$2/completions/_slotway"
	"$1" completion fish >"$2/completions/slotway.fish"
	"$1" completion powershell >"$2/completions/slotway.ps1"
}

# In braces, so that bash has read to the end before it begins: a run takes minutes, and an edit or a
# checkout meanwhile must not change what it does.
{
	work=$(mktemp -d "${TMPDIR:-/tmp}/slotway-release.XXXXXX")
	trap 'chmod -R u+w "$work" && rm -rf "$work"' EXIT
	mkdir "$work/first"
	build "$work/first" "$work/dist"

	if [ -n "$verify" ]; then
		echo "building it again"
		mkdir -p "$work/second/elsewhere/tmp"
		(
			umask 077
			export GOCACHE=$work/cache TMPDIR=$work/second/elsewhere/tmp TZ=Pacific/Auckland
			build "$work/second/elsewhere" "$work/again"
		)
		if ! diff -r "$work/dist" "$work/again"; then
			trap - EXIT # both stay, to be looked at
			die "two builds differ: see $work"
		fi
		echo "two builds are the same, byte by byte"
	fi

	rm -rf "$root/dist"
	cp -R "$work/dist" "$root/dist"
	digest=$(cat "dist/slotway_${number}_image.digest")
	cat <<TEXT

$(wc -c dist/* | sed "s/^/  /")

The image, once you have copied it to a registry (docs/operate/releases.md), by its digest:
  deploy/kubernetes/kustomization.yaml:  images: [{name: slotway, newName: REGISTRY/slotway, digest: "$digest"}]
  deploy/compose/compose.yaml:           image: REGISTRY/slotway@$digest
TEXT
	exit
}
