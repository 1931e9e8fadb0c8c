package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/internal/test/telemetrytest"
)

// startServe runs `slotway serve` on a free port and returns its URL. stop ends it and returns the
// exit code and standard output.
func startServe(t *testing.T, dir string) (url string, stop func() (int, string)) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	errors, stderr := io.Pipe()
	var stdout bytes.Buffer
	code, log := make(chan int, 1), filepath.Join(dir, "telemetry.jsonl")
	go func() {
		code <- run(ctx, []string{"--data", dir, "--set", "telemetry.log=" + log, "--set", "server.limits.rate=0", "serve", "--addr", "127.0.0.1:0"}, strings.NewReader(""), &stdout, stderr)
		stderr.Close()
	}()
	lines := bufio.NewScanner(errors)
	if !lines.Scan() {
		cancel()
		t.Fatalf("serve ended with %d", <-code)
	}
	url, ok := strings.CutPrefix(lines.Text(), "listening on ")
	if !ok {
		t.Errorf("first line on stderr: %q", lines.Text())
	}
	for _, row := range []string{"  agent    shop, version ", "  studio   " + url + "/studio", "  chat     POST " + url + "/chat", "  API      " + url + "/openapi.json", "  metrics  " + url + "/metrics"} {
		if lines.Scan(); !strings.HasPrefix(lines.Text(), row) {
			t.Errorf("serve prints %q, want %q", lines.Text(), row)
		}
	}
	go func() {
		for lines.Scan() {
			t.Logf("stderr: %s", lines.Text())
		}
	}()
	return url, func() (int, string) {
		cancel()
		ended := <-code
		told, err := os.ReadFile(log)
		if err != nil {
			t.Error(err)
		}
		telemetrytest.Lines(t, told)
		return ended, stdout.String()
	}
}

func chatOver(t *testing.T, url, body string) map[string]any {
	t.Helper()
	res, err := http.Post(url+"/chat", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var out map[string]any
	if err := json.NewDecoder(res.Body).Decode(&out); err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("status %d, %v: %v", res.StatusCode, err, out)
	}
	return out
}

// TestServeKeepsConversations: a conversation continues after a restart, and a repeated message
// gets the same answer.
func TestServeKeepsConversations(t *testing.T) {
	dir := t.TempDir()
	url, stop := startServe(t, dir)
	asked := chatOver(t, url, `{"message":"I want to check my order","conversation_id":"c1","message_id":"m1"}`)
	if asked["asked"] != "order_id" || asked["model"] != "shop" {
		t.Errorf("first turn: %v", asked)
	}
	if res, err := http.Get(url + "/readyz"); err != nil || res.StatusCode != http.StatusOK {
		t.Errorf("GET /readyz: %v, %v", res, err)
	}
	if code, stdout := stop(); code != exitOK || stdout != "" {
		t.Errorf("exit code %d, stdout %q", code, stdout)
	}
	url, stop = startServe(t, dir)
	if diff := cmp.Diff(asked, chatOver(t, url, `{"message":"I want to check my order","conversation_id":"c1","message_id":"m1"}`)); diff != "" {
		t.Errorf("the first message again (-then +now)\n%s", diff)
	}
	answered := chatOver(t, url, `{"message":"It's O-12345","conversation_id":"c1"}`)
	if reply, _ := answered["reply"].(string); answered["turn"] != 2.0 || !strings.Contains(reply, "O-12345") {
		t.Errorf("second turn: %v", answered)
	}
	if code, _ := stop(); code != exitOK {
		t.Errorf("exit code %d", code)
	}
}

func TestServeTellsWhatIsWrong(t *testing.T) {
	url, stop := startServe(t, t.TempDir())
	defer stop()
	for _, c := range []struct {
		args []string
		code int
		text string
	}{
		{[]string{"serve", "--addr", strings.TrimPrefix(url, "http://")}, exitCheck, "--addr"},
		{[]string{"serve", "--addr", "nowhere"}, exitCheck, "HOST:PORT"},
		{[]string{"serve", "now"}, exitUsage, "unexpected argument"},
		{[]string{"bench", "turns", "--durability", "some"}, exitUsage, "durable"},
		{[]string{"bench", "turns", "--sessions", "0"}, exitUsage, "--sessions"},
		{[]string{"bench", "nothing"}, exitUsage, "nothing"},
	} {
		var stdout, stderr bytes.Buffer
		code := run(t.Context(), append([]string{"--data", t.TempDir()}, c.args...), strings.NewReader(""), &stdout, &stderr)
		if code != c.code || !strings.Contains(stderr.String(), c.text) || stdout.Len() > 0 {
			t.Errorf("%q: exit code %d, stdout %q, stderr %q", c.args, code, stdout.String(), stderr.String())
		}
	}
}
