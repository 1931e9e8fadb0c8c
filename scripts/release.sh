#!/usr/bin/env bash
# Builds a release of the checked-out commit into dist/. It publishes nothing.
#
#   scripts/release.sh v0.1.0            builds this version; the commit has this tag, or will have it
#   scripts/release.sh                   builds the version of the commit's tag
#   scripts/release.sh --verify v0.1.0   builds it twice, with different folders, caches, time zones and
#                                        umasks, and compares every byte
#
# It refuses a release that no one could build again: a tree with changes, a version of another form, a
# version without a heading in CHANGELOG.md, and a tag of another commit. docs/operate/releases.md
# describes the files in dist/ and how to check a download.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD

# The caller's settings must not reach the binaries: with them the go command could build for another
# processor, with other flags or with other modules.
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
[ $# -le 1 ] || die "one version at most, got $#: run scripts/release.sh [--verify] v0.1.0"
commit=$(git rev-parse HEAD)
version=${1:-$(git describe --tags --exact-match HEAD 2>/dev/null || true)}
number=${version#v}

[ -n "$version" ] || die "the commit has no tag: give the version as an argument, such as v0.1.0"
[[ $version =~ ^v(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$ ]] ||
	die "$version is no version: write it like v1.2.3 or v1.2.3-rc.1"
[ -z "$(git status --porcelain)" ] || die "the tree has changes: commit them, or build in a clean clone"
# grep -q would close the pipe early; git would fail then, and the pipe with it.
git show "$commit:CHANGELOG.md" | grep -E "^## \[${number//./\\.}\] - [0-9]{4}-[0-9]{2}-[0-9]{2}\$" >/dev/null ||
	die "CHANGELOG.md has no heading ## [$number] - YYYY-MM-DD: add it, with the date, and commit"
if tagged=$(git rev-parse --verify --quiet "refs/tags/$version^{commit}"); then
	[ "$tagged" = "$commit" ] || die "$version is the tag of another commit, $tagged: check that commit out, or choose another version"
else
	echo "the tag $version does not exist yet: tag $commit before you publish this release"
fi
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct "$commit")
export SOURCE_DATE_EPOCH

# build WORK OUT builds a release in the folder WORK and packs it into OUT.
build() {
	local work=$1 out=$2 platform host
	# A clone has no ignored files, and only this tag: the go command takes the version from the tag.
	git clone --quiet --no-tags --config core.autocrlf=false "$root" "$work/source"
	git -C "$work/source" checkout --quiet --detach "$commit"
	git -C "$work/source" tag --no-sign "$version"
	for platform in $(go run -C "$work/source/scripts/release" . -platforms); do
		echo "building $platform"
		compile "$work" "$platform"
	done
	host=$(go env GOHOSTOS)_$(go env GOHOSTARCH)
	[ -d "$work/builds/$host" ] || compile "$work" "$host"
	[[ $("$work/builds/$host/slotway" version) == "slotway $version $commit "* ]] || die "the program does not report $version $commit: check that the go command can run git, which -buildvcs=true needs"
	texts "$work/builds/$host/slotway" "$work/builds" "$work/source"
	go run -C "$work/source/scripts/release" . -version "$version" -commit "$commit" -epoch "$SOURCE_DATE_EPOCH" \
		-source "$work/source" -builds "$work/builds" -out "$out"
}

# compile WORK PLATFORM builds the program without the tables for debuggers.
compile() {
	mkdir -p "$1/builds/$2"
	GOOS=${2%_*} GOARCH=${2#*_} go build -C "$1/source" -trimpath -buildvcs=true -ldflags='-s -w' -o "$1/builds/$2/" ./cmd/slotway
}

# texts PROGRAM FOLDER SOURCE writes the program's manual pages and completions.
texts() {
	(cd "$3" && go test ./cmd/slotway -run "^TestWriteManPages$" -man "$2/man1" -man-version "$version" -man-day "$(date -u -d "@$SOURCE_DATE_EPOCH" +%F)")
	mkdir -p "$2/completions"
	"$1" completion bash >"$2/completions/slotway.bash"
	"$1" completion zsh >"$2/completions/_slotway"
	"$1" completion fish >"$2/completions/slotway.fish"
	"$1" completion powershell >"$2/completions/slotway.ps1"
}

# The braces make bash read the whole block before it runs it: a run takes minutes, and an edit or a
# checkout meanwhile must not change the rest.
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
			trap - EXIT # keep both builds
			die "the two builds differ: compare $work/dist with $work/again"
		fi
		echo "the two builds have the same bytes"
	fi

	rm -rf "$root/dist"
	cp -R "$work/dist" "$root/dist"
	digest=$(cat "dist/slotway_${number}_image.digest")
	cat <<TEXT

$(wc -c dist/* | sed "s/^/  /")

After you have copied the image to a registry (docs/operate/releases.md), name it by its digest:
  deploy/kubernetes/kustomization.yaml:  images: [{name: slotway, newName: REGISTRY/slotway, digest: "$digest"}]
  deploy/compose/compose.yaml:           image: REGISTRY/slotway@$digest
TEXT
	exit
}
