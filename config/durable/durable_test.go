package durable_test

import (
	"errors"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/config/durable"
	"github.com/slotway/slotway/internal/test/disktest"
)

func text(s string) func(io.Writer) error {
	return func(out io.Writer) error {
		_, err := io.WriteString(out, s)
		return err
	}
}

// contents are the files below a folder.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	if err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		all[filepath.ToSlash(name)] = string(data)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// What was put in place is there after a power cut, and only that, whatever was new: the file,
// its content, its folder and those above.
func TestWhatIsInPlaceLasts(t *testing.T) {
	tests := []struct {
		name string
		do   func(t *testing.T, root string)
		want map[string]string
	}{
		{"a file", func(t *testing.T, root string) {
			must(t, durable.WriteFile(filepath.Join(root, "a"), text("one")))
		}, map[string]string{"a": "one"}},
		{"replaced", func(t *testing.T, root string) {
			must(t, durable.WriteFile(filepath.Join(root, "a"), text("one")))
			must(t, durable.WriteFile(filepath.Join(root, "a"), text("two")))
		}, map[string]string{"a": "two"}},
		{"through a link", func(t *testing.T, root string) {
			must(t, durable.MkdirAll(filepath.Join(root, "real"), 0o700))
			must(t, durable.NewFile(filepath.Join(root, "real", "a"), text("one")))
			link := filepath.Join(t.TempDir(), "link")
			must(t, os.Symlink(filepath.Join(root, "real", "a"), link))
			must(t, durable.WriteFile(link, text("two")))
		}, map[string]string{"real/a": "two"}},
		{"new folders", func(t *testing.T, root string) {
			must(t, durable.MkdirAll(filepath.Join(root, "b", "c", "d"), 0o700))
			must(t, durable.NewFile(filepath.Join(root, "b", "c", "d", "a"), text("one")))
		}, map[string]string{"b/c/d/a": "one"}},
		{"a folder that another program made", func(t *testing.T, root string) {
			must(t, os.Mkdir(filepath.Join(root, "b"), 0o700))
			must(t, durable.WriteFile(filepath.Join(root, "b", "a"), text("one")))
		}, map[string]string{"b/a": "one"}},
		{"a folder that was there", func(t *testing.T, root string) {
			must(t, os.Mkdir(filepath.Join(root, "b"), 0o700))
			must(t, durable.MkdirAll(filepath.Join(root, "b"), 0o700))
			must(t, durable.MkdirAll(filepath.Join(root, "b", "c"), 0o700))
			must(t, durable.NewFile(filepath.Join(root, "b", "c", "a"), text("one")))
		}, map[string]string{"b/c/a": "one"}},
		{"the name that another process gave", func(t *testing.T, root string) {
			must(t, os.WriteFile(filepath.Join(root, "a"), []byte("other"), 0o600))
			if err := durable.NewFile(filepath.Join(root, "a"), text("one")); !errors.Is(err, fs.ErrExist) {
				t.Errorf("NewFile over a file: %v", err)
			}
		}, map[string]string{"a": ""}}, // whose content the other has not synced
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			disk := disktest.New(t)
			test.do(t, disk.Root)
			left := contents(t, disk.Cut(nil))
			maps.DeleteFunc(left, func(name, _ string) bool {
				return strings.Contains(name, ".new-") && strings.HasSuffix(test.name, "gave")
			})
			if diff := cmp.Diff(test.want, left); diff != "" {
				t.Errorf("after a power cut (-want +got):\n%s", diff)
			}
		})
	}
}

// The account can tell: what nobody synced is not there, in each of the ways to forget it.
func TestWhatIsNotSyncedIsLost(t *testing.T) {
	for name, do := range map[string]func(path string) error{
		"content": func(path string) error { return os.WriteFile(path, []byte("two"), 0o600) },
		"content and name": func(path string) error {
			return errors.Join(os.WriteFile(path+".new", []byte("two"), 0o600), os.Rename(path+".new", path))
		},
		"name": func(path string) error {
			f, err := os.Create(path + ".new")
			if err != nil {
				return err
			}
			_, err = f.WriteString("two")
			return errors.Join(err, durable.Sync(f), f.Close(), os.Rename(path+".new", path))
		},
		"the content, though its name": func(path string) error {
			return errors.Join(os.WriteFile(path+".new", []byte("two"), 0o600), durable.Rename(path+".new", path))
		},
	} {
		disk := disktest.New(t)
		path := filepath.Join(disk.Root, "a")
		must(t, durable.WriteFile(path, text("one")))
		must(t, do(path))
		if left := contents(t, disk.Cut(nil))["a"]; left == "two" {
			t.Errorf("%s was not synced, but is there after a power cut", name)
		}
		for seed := range uint64(20) {
			if left := contents(t, disk.Cut(rand.New(rand.NewPCG(seed, 1))))["a"]; left != "one" && left != "two" && left != "" {
				t.Errorf("%s: %q is there after a power cut", name, left)
			}
		}
		disk.Close()
	}
}

// What an earlier process has left behind is never in the way, and a failure leaves nothing.
func TestFailuresLeaveTheFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	must(t, os.WriteFile(path, []byte("one"), 0o640))
	must(t, os.Chmod(path, 0o640))
	must(t, os.WriteFile(path+".new", []byte("stale"), 0o600))
	must(t, os.WriteFile(filepath.Join(dir, ".a.new-123"), []byte("stale"), 0o600))
	wrong := errors.New("wrong")
	if err := durable.WriteFile(path, func(out io.Writer) error {
		return errors.Join(text("half")(out), wrong)
	}); !errors.Is(err, wrong) {
		t.Errorf("an error of the writer: %v", err)
	}
	if err := durable.NewFile(path, text("two")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("NewFile over a file: %v", err)
	}
	want := map[string]string{"a": "one", "a.new": "stale", ".a.new-123": "stale"}
	if diff := cmp.Diff(want, contents(t, dir)); diff != "" {
		t.Errorf("after failures (-want +got):\n%s", diff)
	}
	must(t, durable.WriteFile(path, text("two")))
	want["a"] = "two"
	if diff := cmp.Diff(want, contents(t, dir)); diff != "" {
		t.Errorf("beside stale files (-want +got):\n%s", diff)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v; want that of the file before", info.Mode(), err)
	}
}
