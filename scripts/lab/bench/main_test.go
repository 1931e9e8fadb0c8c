package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// figuresOf runs a measurement and returns what it prints. It holds the folder for temporary files to
// be as empty after it as before.
func figuresOf(t *testing.T, into any, args ...string) {
	t.Helper()
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	var out, errs bytes.Buffer
	if code := run(context.Background(), args, &out, &errs); code != 0 {
		t.Fatalf("%v: exit code %d: %s", args, code, errs.String())
	}
	if err := json.Unmarshal(out.Bytes(), into); err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("%v: left behind %v, %v", args, left, err)
	}
}

// A conversation goes over HTTP, plain and with TLS.
func TestHTTP(t *testing.T) {
	for _, tls := range []string{"-tls=false", "-tls"} {
		var f httpFigures
		figuresOf(t, &f, "http", "-connections=3", "-durability=relaxed", "-duration=50ms", "-set", "classifier.encoder=off", tls)
		if f.Turns < 2 || f.TurnsPerS <= 0 || f.EchoPerS <= 0 || f.P99 < f.P50 {
			t.Errorf("%s: %+v", tls, f)
		}
	}
}

// A program starts and gives its first replies.
func TestStart(t *testing.T) {
	program := filepath.Join(t.TempDir(), "slotway")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, "./cmd/slotway")
	build.Dir = filepath.Join("..", "..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the program: %v\n%s", err, out)
	}
	var f startFigures
	figuresOf(t, &f, "start", "-program", program, "-runs", "2", "-set", "classifier.encoder=off")
	if f.Chat <= 0 || f.ChatMax < f.Chat || f.ChatCPU <= 0 || f.Serve <= 0 || f.ServeCPU <= 0 || f.EncoderBytes <= 0 || f.BinaryBytes < int64(f.EncoderBytes) {
		t.Errorf("measured %+v", f)
	}
}

func TestUsage(t *testing.T) {
	for args, says := range map[string]string{
		"":                              "http|start",
		"ftp":                           `there is no "ftp"`,
		"start":                         "needs -program",
		"start -program none -runs 0":   "-runs above zero",
		"http -connections 0":           "above zero",
		"http -set storage":             "write NAME=VALUE",
		"http -durability x -unknown 1": "-unknown",
	} {
		var out, errs bytes.Buffer
		if code := run(context.Background(), strings.Fields(args), &out, &errs); code != 2 || !strings.Contains(errs.String(), says) {
			t.Errorf("bench %s: got code %d and %q, want 2 and %q", args, code, errs.String(), says)
		}
	}
}
