package examples

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// program builds one of the programs of this folder.
func program(t *testing.T, name string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", file, "./"+name).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return file
}

func TestTool(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), program(t, "tool"), "tool/clinic.yaml")
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
	out, err := cmd.Output()
	const want = "> I need an appointment\nWhich day?\n> tuesday\nBook an appointment on tuesday?\n> yes\nSee you on tuesday at 10:30.\n"
	if err != nil || string(out) != want {
		t.Errorf("%v:\n%s", err, out)
	}
}

func TestService(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cmd := exec.CommandContext(ctx, program(t, "service"), filepath.Join(t.TempDir(), "memory.db"))
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	url, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	for token, want := range map[string]string{"ann-s-token": "200 Order O-12345", "another": "401 unauthorized"} {
		if got := chat(t, strings.TrimSpace(url), token); !strings.HasPrefix(got, want[:4]) || !strings.Contains(got, want[4:]) {
			t.Errorf("%s: %s, want %s", token, got, want)
		}
	}
	cancel()
	_ = cmd.Wait() // an interrupted context is an error by itself
	if stderr.Len() > 0 {
		t.Errorf("stderr: %s", stderr.String())
	}
}

func chat(t *testing.T, url, token string) string {
	t.Helper()
	body := strings.NewReader(`{"message": "where is my order O-12345?", "conversation_id": "s"}`)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/chat", body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(res.StatusCode, " ", string(data))
}
