// Command powercut plants synchronisation faults in copies of the tree, one at a time, and reports
// whether the tests find each. The exit code is 1 if they miss one.
//
//	go run ./scripts/powercut [NAME...]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/slotway/slotway/scripts/worktree"
)

// edit replaces the first occurrence of a text in a file.
type edit struct{ file, from, to string }

// plant is a fault and the tests that must find it.
type plant struct {
	name  string
	edits []edit
	tests []string // arguments of go test
}

const store = "./memory/sqlite"

var plants = []plant{
	{"commits are not synced until a checkpoint", []edit{{"memory/sqlite/store.go", `sync := "synchronous(FULL)"`, `sync := "synchronous(NORMAL)"`}}, []string{store}},
	{"commits are never synced", []edit{{"memory/sqlite/store.go", `sync := "synchronous(FULL)"`, `sync := "synchronous(OFF)"`}}, []string{store}},
	{"a failed commit is acknowledged", []edit{{"memory/sqlite/writer.go", "p.err = explain(err)\n\t\t}\n\t}\n}", "p.err = nil\n\t\t}\n\t}\n}"}}, []string{store}},
	{"migrations are not synced", []edit{{"memory/sqlite/migrate.go", `"synchronous(FULL)"`, `"synchronous(OFF)"`}}, []string{store}},
	{"the log of a dead process is built upon", []edit{{"memory/sqlite/store.go", "wal_checkpoint(TRUNCATE)", "user_version"}}, []string{store}},
	{"lost commits in the log are not looked for", []edit{{"memory/sqlite/store.go", "if opts.Durability == Durable {", `if opts.Durability == "never" {`}}, []string{store}},
	{
		"a backup's content is not synced",
		[]edit{{"memory/sqlite/backup.go", "durable.Sync(f)", "error(nil)"}},
		[]string{store},
	},
	{"a backup's name is not synced", []edit{{"memory/sqlite/backup.go", "return durable.Rename(name, to)", "return os.Rename(name, to)"}}, []string{store}},
	{"a restored file's name is not synced", []edit{{"memory/sqlite/restore.go", "durable.Rename(name, path)", "os.Rename(name, path)"}}, []string{store}},
	{"names are not synced", []edit{{"config/durable/durable.go", "errors.Join(SyncFolder(dir), syncMade(dir))", "syncMade(dir)"}}, []string{store}},
	{"new folders are not synced", []edit{{"memory/sqlite/file.go", "durable.MkdirAll", "os.MkdirAll"}, {"config/durable/durable.go", "errors.Join(SyncFolder(dir), syncMade(dir))", "SyncFolder(dir)"}}, []string{store}},
	{"content of files is not synced", []edit{{"config/durable/durable.go", "errors.Join(err, Sync(f), f.Close())", "errors.Join(err, f.Close())"}}, []string{"./config/durable", "./cmd/slotway", "-run", "Lasts|Outlast"}},
	{"a tool's writes are not synced", []edit{{"tools/sqltool/db.go", `"synchronous(FULL)"`, `"synchronous(OFF)"`}}, []string{"./tools/sqltool"}},
}

func main() {
	flag.Parse()
	missed, err := run(flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "powercut:", err)
		os.Exit(2)
	}
	if missed > 0 {
		os.Exit(1)
	}
}

func run(names []string) (missed int, err error) {
	asked := 0
	for _, p := range plants {
		if len(names) > 0 && !slices.Contains(names, p.name) {
			continue
		}
		asked++
		found, err := p.try()
		if err != nil {
			return missed, fmt.Errorf("%s: %w", p.name, err)
		}
		verdict := "found"
		if !found {
			verdict = "NOT FOUND"
			missed++
		}
		fmt.Printf("%-10s %s\n", verdict, p.name)
	}
	if asked == 0 {
		return 0, errors.New("there is no plant of that name; without a name all are tried")
	}
	fmt.Printf("%d of %d faults are found\n", asked-missed, asked)
	return missed, nil
}

// try plants the fault and runs the tests. A fault that does not build is an error.
func (p plant) try() (found bool, err error) {
	dir, err := os.MkdirTemp("", "slotway-plant-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	if err := worktree.Copy(context.Background(), dir); err != nil {
		return false, err
	}
	for _, e := range p.edits {
		if err := e.apply(dir); err != nil {
			return false, err
		}
	}
	if out, err := command(dir, "go", append([]string{"vet"}, packages(p.tests)...)...); err != nil {
		return false, fmt.Errorf("the fault does not build: %s", out)
	}
	out, err := command(dir, "go", append([]string{"test", "-count=1", "-failfast"}, p.tests...)...)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return false, err
	}
	return strings.Contains(out, "--- FAIL"), nil
}

func packages(args []string) (list []string) {
	for _, a := range args {
		if strings.HasPrefix(a, "./") {
			list = append(list, a)
		}
	}
	return list
}

func (e edit) apply(dir string) error {
	path := filepath.Join(dir, e.file)
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if !strings.Contains(string(text), e.from) {
		return fmt.Errorf("%s has no %q any more; say where the fault goes now", e.file, e.from)
	}
	return os.WriteFile(path, []byte(strings.Replace(string(text), e.from, e.to, 1)), 0o600)
}

func command(dir, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}
