package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// testRelease is a release from this checkout into a folder of the test.
func testRelease(t *testing.T) *release {
	t.Helper()
	return &release{
		version: "v1.2.3", commit: strings.Repeat("ab", 20), time: time.Unix(1_700_000_000, 0).UTC(),
		source: filepath.Join("..", ".."), builds: t.TempDir(), out: t.TempDir(),
	}
}

// own is the test's own binary, which has modules linked as a release has.
func own(t *testing.T) *buildFile {
	t.Helper()
	name, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	b, err := readBuild(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// unpacked reads an archive, with the fields that its bytes must not depend on.
func unpacked(t *testing.T, name string, data []byte, want time.Time) map[string]string {
	t.Helper()
	files := map[string]string{}
	add := func(name string, mode int64, at time.Time, from io.Reader) {
		text, err := io.ReadAll(from)
		if err != nil || !at.Equal(want) {
			t.Errorf("%s has the time %s: %v", name, at, err)
		}
		files[name] = fmt.Sprintf("%o %s", mode, text)
	}
	if strings.HasSuffix(name, ".zip") {
		r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.File {
			in, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			add(f.Name, int64(f.Mode().Perm()), f.Modified, in)
		}
		return files
	}
	plain, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(plain); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil || h.Uid != 0 || h.Gid != 0 || h.Uname != "" || h.Gname != "" {
			t.Fatalf("%v: %v", h, err)
		}
		add(h.Name, h.Mode, h.ModTime, r)
	}
}

// An archive has every file in one folder, with modes, one time and no owner, whatever order they came in.
func TestArchives(t *testing.T) {
	r := testRelease(t)
	files := []file{{name: "slotway", mode: 0o755, data: []byte("binary")}, {name: "man/man1/slotway.1", mode: 0o644, data: []byte(".TH")}, {name: "LICENSE", mode: 0o644, data: []byte("free")}}
	for platform, name := range map[string]string{"linux_arm64": "slotway_1.2.3_linux_arm64.tar.gz", "windows_amd64": "slotway_1.2.3_windows_amd64.zip"} {
		var first []byte
		for range 2 {
			if err := r.writeArchive(platform, files); err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(filepath.Join(r.out, name))
			if err != nil {
				t.Fatal(err)
			}
			if first != nil && !bytes.Equal(first, data) {
				t.Errorf("%s: another order makes other bytes", name)
			}
			first = data
			slices.Reverse(files)
		}
		folder := "slotway_1.2.3_" + platform
		got := unpacked(t, name, first, r.time)
		want := map[string]string{folder + "/slotway": "755 binary", folder + "/man/man1/slotway.1": "644 .TH", folder + "/LICENSE": "644 free"}
		for name, text := range want {
			if got[name] != text || len(got) != len(want) {
				t.Errorf("%s is %q in %v", name, got[name], got)
			}
		}
	}
	if len(files) != 3 || files[0].name == "" || strings.Contains(files[0].name, "1.2.3") {
		t.Errorf("the caller's files are changed: %v", files)
	}
}

// The sums are those of the files, and of nothing else.
func TestSums(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"b": "two", "a": "one", sumsName: "old"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := writeSums(dir); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, sumsName))
	want := fmt.Sprintf("%x  a\n%x  b\n", sha256.Sum256([]byte("one")), sha256.Sum256([]byte("two")))
	if err != nil || string(got) != want {
		t.Errorf("%v, got\n%swant\n%s", err, got, want)
	}
}

// A binary that differs from the release is refused; the error lists every difference.
func TestCheck(t *testing.T) {
	b := own(t)
	err := b.check(testRelease(t), "plan9_mips")
	if err == nil {
		t.Fatal("the binary of a test is taken for a release")
	}
	for _, want := range []string{`not "v1.2.3"`, `vcs.revision is ""`, `GOOS is`, `not "plan9"`, `-trimpath is ""`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not say %q", err, want)
		}
	}
	main := b.info.Main
	main.Version = "v1.2.3"
	b.info.Main = main
	if err := b.check(testRelease(t), "plan9_mips"); strings.Contains(err.Error(), "v1.2.3") {
		t.Errorf("the right version is refused: %v", err)
	}
}

// billed has the fields of a bill that the tests read.
type billed struct {
	Format     string `json:"bomFormat"`
	Spec       string `json:"specVersion"`
	Components []struct {
		Name, Version, Purl string
		Licenses            []struct{ License struct{ ID string } }
	}
	Metadata struct {
		Timestamp string
		Component struct {
			Version string
			Hashes  []struct{ Content string }
		}
	}
}

// licences are the licences by component, each of which stands once.
func (d *billed) licences(t *testing.T) map[string]string {
	t.Helper()
	licences := map[string]string{}
	for _, c := range d.Components {
		if _, twice := licences[c.Name]; twice {
			t.Errorf("%s stands twice", c.Name)
		}
		licences[c.Name] = ""
		if len(c.Licenses) > 0 {
			licences[c.Name] = c.Licenses[0].License.ID
		}
		if want := "pkg:golang/" + c.Name + "@" + c.Version; c.Version != "" && c.Purl != want {
			t.Errorf("%s is not %s", c.Purl, want)
		}
	}
	return licences
}

// The bill lists each linked module of the binary once, with its licence, and is the same each time.
func TestBill(t *testing.T) {
	r, b := testRelease(t), own(t)
	parts, err := b.parts()
	if err != nil {
		t.Fatal(err)
	}
	embedded := []datum{{"classifier/model.bin", b.data[4096:8192]}}
	bill, err := r.bill("linux_amd64", b, parts, embedded)
	if err != nil {
		t.Fatal(err)
	}
	again, err := r.bill("linux_amd64", b, parts, embedded)
	if err != nil || !bytes.Equal(bill, again) {
		t.Errorf("the second bill differs: %v", err)
	}
	var doc billed
	if err := json.Unmarshal(bill, &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Format != "CycloneDX" || doc.Spec != "1.6" || doc.Metadata.Timestamp != "2023-11-14T22:13:20Z" || doc.Metadata.Component.Version != "v1.2.3" {
		t.Errorf("the head is %+v", doc)
	}
	if sum := fmt.Sprintf("%x", sha256.Sum256(b.data)); doc.Metadata.Component.Hashes[0].Content != sum {
		t.Errorf("the sum of the binary is %s", doc.Metadata.Component.Hashes[0].Content)
	}
	licences := doc.licences(t)
	for name, want := range map[string]string{"std": "BSD-3-Clause", "github.com/google/go-containerregistry": "Apache-2.0", "golang.org/x/mod": "BSD-3-Clause", "classifier/model.bin": ""} {
		if got, ok := licences[name]; !ok || got != want {
			t.Errorf("%s is listed: %t, with the licence %q, want %q", name, ok, got, want)
		}
	}
	if len(doc.Components) != len(b.info.Deps)+2 {
		t.Errorf("%d components of %d modules", len(doc.Components), len(b.info.Deps))
	}
	if _, err := r.bill("linux_amd64", b, parts, []datum{{"gone.bin", []byte(strings.Repeat("not there ", 3) + r.out)}}); err == nil {
		t.Error("embedded data that is not in the binary is listed")
	}
}

// A licence is named only where one file is one known licence.
func TestLicenceID(t *testing.T) {
	apache, err := os.ReadFile(filepath.Join("..", "..", "LICENSE"))
	if err != nil {
		t.Fatal(err)
	}
	free := []byte("Do with it what you like, but tell us. All of it is ours.")
	both := slices.Concat(apache, bytes.Repeat(append(free, '\n'), 60))
	for name, c := range map[string]struct {
		files []file
		want  string
	}{
		"known":             {[]file{{name: "LICENSE", data: apache}}, "Apache-2.0"},
		"beside a notice":   {[]file{{name: "COPYING", data: apache}, {name: "NOTICE", data: free}, {name: "vendored/LICENSE", data: free}}, "Apache-2.0"},
		"unknown":           {[]file{{name: "LICENSE", data: free}}, ""},
		"with other terms":  {[]file{{name: "LICENSE.txt", data: both}}, ""},
		"one of two files":  {[]file{{name: "LICENSE", data: apache}, {name: "LICENSE-MIT", data: free}}, ""},
		"no file at all":    {nil, ""},
		"below another one": {[]file{{name: "inner/LICENSE", data: apache}}, ""},
	} {
		if got := licenceID(c.files); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// The notices have the text of every licence, of the data as well; a module without one stops the release.
func TestNotices(t *testing.T) {
	r := testRelease(t)
	parts, err := own(t).parts()
	if err != nil {
		t.Fatal(err)
	}
	notices, err := r.notices(parts)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"OpenAI, Shantanu Jain", "WordNet", "Copyright 2009 The Go Authors", "golang.org/x/mod v", "TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION"} {
		if !bytes.Contains(notices.data, []byte(want)) {
			t.Errorf("%q is not in the notices", want)
		}
	}
	if _, err := r.notices([]part{{path: "example.com/bare", version: "v1.0.0", dir: t.TempDir()}}); err == nil || !strings.Contains(err.Error(), "example.com/bare v1.0.0 has no licence") {
		t.Errorf("a module without a licence: %v", err)
	}
}
