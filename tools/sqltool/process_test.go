package sqltool_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/tools"
	"github.com/slotway/slotway/tools/sqltool"
)

// TestMain lets the test binary be a second process: with SQLTOOL_CHILD set it opens that
// database, makes one call a key, and prints each key that was acknowledged.
func TestMain(m *testing.M) {
	if path := os.Getenv("SQLTOOL_CHILD"); path != "" {
		if err := child(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func child(path string) error {
	db, err := sqltool.Open(config.Database{Name: "shop", Driver: "sqlite"}, path, []byte(seed))
	if err != nil {
		return err
	}
	defer db.Close()
	tool, err := sqltool.New(writeTool(increment, true), db)
	if err != nil {
		return err
	}
	for i := range crashKeys {
		if _, err := tool.Call(context.Background(), crashCall(i)); err != nil {
			return err
		}
		fmt.Println(i)
	}
	return nil
}

const crashKeys = 200

func crashCall(i int) tools.Call {
	return tools.Call{Tool: "w", Args: map[string]any{"by": 1.0}, IdempotencyKey: fmt.Sprint("k", i)}
}

func start(t *testing.T, path string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), "SQLTOOL_CHILD="+path, "GORACE=atexit_sleep_ms=0")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, bufio.NewScanner(out)
}

// A process is killed between two of its calls, or in one; the calls are made again with
// their keys. Each has had its effect once.
func TestKilledAndRepeated(t *testing.T) {
	path := filepath.Join(t.TempDir(), "crash.db")
	acknowledged := 0
	for round := range 3 {
		cmd, lines := start(t, path)
		for range 5 * (round + 1) {
			if !lines.Scan() {
				t.Fatal("the child ended early")
			}
			acknowledged++
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		cmd.Wait()
	}
	if acknowledged == 0 {
		t.Fatal("nothing was acknowledged before the kills")
	}
	db := openDB(t, path)
	tool, err := sqltool.New(writeTool(increment, true), db)
	if err != nil {
		t.Fatal(err)
	}
	for i := range crashKeys {
		if _, err := tool.Call(t.Context(), crashCall(i)); err != nil {
			t.Fatal(err)
		}
	}
	if n := counter(t, db); n != crashKeys {
		t.Errorf("counter %v, want %d", n, crashKeys)
	}
}

// Processes and goroutines that open a new file together seed it once.
func TestSeededOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "seed.db")
	var children []*exec.Cmd
	for range 3 {
		cmd, lines := start(t, path)
		children = append(children, cmd)
		go func() { // ends with the child's output
			for lines.Scan() {
			}
		}()
	}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			db, err := sqltool.Open(config.Database{Name: "shop", Driver: "sqlite"}, path, []byte(seed))
			if err != nil {
				t.Error(err)
				return
			}
			db.Close()
		})
	}
	wg.Wait()
	for _, c := range children {
		if err := c.Wait(); err != nil {
			t.Errorf("a child failed: %v", err)
		}
	}
	db := openDB(t, path)
	v, err := run(t, db, readTool("SELECT (SELECT count(*) FROM parcels) AS p, (SELECT count(*) FROM counter) AS c", true), "", nil)
	if err != nil || strings.TrimSpace(fmt.Sprint(v)) != "map[c:1 p:2]" {
		t.Errorf("%v, %v; want the seed once", v, err)
	}
}
