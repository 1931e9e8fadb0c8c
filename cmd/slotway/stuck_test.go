package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// Whoever started the service reads its first line and never again. Turns go on, reloads go
// on, and the service ends when it is told to.
func TestNobodyReadsTheLog(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	unread, stderr := io.Pipe() // holds nothing at all: the first write that is not read is stuck
	defer unread.Close()
	code := make(chan int, 1)
	go func() {
		code <- run(ctx, []string{"--data", t.TempDir(), "--set", "telemetry.log=stderr", "--set", "server.limits.rate=0", "serve", "--addr", "127.0.0.1:0"}, strings.NewReader(""), io.Discard, stderr)
	}()
	lines := bufio.NewReaderSize(unread, 16)
	first, err := lines.ReadString('\n')
	url, ok := strings.CutPrefix(strings.TrimSpace(first), "listening on ")
	if err != nil || !ok {
		t.Fatalf("first line %q, %v", first, err)
	}
	client := &http.Client{Timeout: 10 * time.Second}
	for n := range 20 {
		res, err := client.Post(url+"/chat", "application/json", strings.NewReader(fmt.Sprintf(`{"message":"where is O-12345?","conversation_id":"c%d"}`, n)))
		if err != nil {
			unread.Close() // or the service would not end
			t.Fatalf("turn %d: %v", n, err)
		}
		res.Body.Close()
	}
	cancel()
	select {
	case <-code:
	case <-time.After(30 * time.Second):
		t.Error("the service does not end")
		unread.Close()
	}
}

// Whoever reads the log ends, as `slotway serve 2>&1 | head` has it: the service does not.
func TestTheReaderOfTheLogEnds(t *testing.T) {
	dir, binary := t.TempDir(), buildBinary(t)
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), binary, "--data", dir, "--set", "telemetry.log=stderr", "--set", "server.limits.rate=0", "serve", "--addr", "127.0.0.1:0")
	cmd.Stderr = write
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	write.Close()
	line, err := bufio.NewReader(read).ReadString('\n')
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
	if err != nil || !ok {
		t.Fatalf("first line %q, %v", line, err)
	}
	read.Close()
	for n := range 5 {
		res, err := http.Post(url+"/chat", "application/json", strings.NewReader(fmt.Sprintf(`{"message":"where is O-12345?","conversation_id":"c%d"}`, n)))
		if err != nil {
			t.Fatalf("turn %d: %v", n, err)
		}
		res.Body.Close()
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the service ends with %v", err)
	}
}
