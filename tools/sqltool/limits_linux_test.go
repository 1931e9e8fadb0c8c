package sqltool_test

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/tools/sqltool"
)

// Where the process can open no more files, the limit is named, not the permissions.
func TestTooManyOpenFiles(t *testing.T) {
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &before); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: 3, Max: before.Max}); err != nil {
		t.Fatal(err)
	}
	_, err := sqltool.Open(config.Database{Name: "shop", Driver: "sqlite"}, filepath.Join(t.TempDir(), "shop.db"), []byte(seed))
	if e := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &before); e != nil {
		t.Fatal(e)
	}
	if err == nil || !strings.Contains(err.Error(), "ulimit -n") || strings.Contains(err.Error(), "permissions") {
		t.Errorf("Open: %v", err)
	}
}
