package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// The program that started the service reads the first line of the log and no more. Turns go on,
// and the service ends when it is asked to.
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
