package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// deployKeys are the files for containers, clusters and systemd that say how keys are made.
var deployKeys = []struct {
	file string
	made string   // the file of keys, as the commands name it
	says []string // what brings that file to the service
}{
	{"Dockerfile", "", []string{"-v slotway:/data slotway keys new", "SLOTWAY_SERVER_AUTH_KEYS_FILE=/data/keys.yaml", `"--data", "/data"`}},
	{"compose/compose.yaml", "/keys/keys.yaml", []string{
		`-v "$PWD/deploy/compose:/keys"`, `"./keys.yaml:/etc/slotway/keys.yaml:ro"`, "SLOTWAY_SERVER_AUTH_KEYS_FILE: /etc/slotway/keys.yaml",
	}},
	{"kubernetes/kustomization.yaml", "keys.yaml", []string{"--from-file=keys.yaml"}},
	{"systemd/slotway.service", "/etc/slotway/keys.yaml", []string{"LoadCredential=keys.yaml:/etc/slotway/keys.yaml", "SLOTWAY_SERVER_AUTH_KEYS_FILE=%d/keys.yaml"}},
}

// keysCommand is a line that makes a key, by the program or in its container.
var keysCommand = regexp.MustCompile(`(?m)^#\s.*\bslotway\s+(keys new .*?)\s*(?:#.*)?$`)

// TestKeysOfDeployFiles follows the words of the deploy files: the key that they make is the
// one that the service asks for, off loopback, and there is no service without it.
func TestKeysOfDeployFiles(t *testing.T) {
	for _, d := range deployKeys {
		t.Run(d.file, func(t *testing.T) {
			raw, err := os.ReadFile(filepath.Join(deployFolder, d.file))
			if err != nil {
				t.Fatal(err)
			}
			text := strings.ReplaceAll(string(raw), "\\\n#", "") // commands of two lines
			for _, part := range d.says {
				if !strings.Contains(text, part) {
					t.Errorf("nothing of %q", part)
				}
			}
			here := t.TempDir()
			file := filepath.Join(here, "data", "keys.yaml")
			if err := os.Mkdir(filepath.Dir(file), 0o700); err != nil {
				t.Fatal(err)
			}
			t.Setenv("SLOTWAY_SERVER_AUTH_KEYS_FILE", file)
			if code, _, stderr := serveOnce(t, here, ""); code != exitCheck || !strings.Contains(stderr, "slotway keys new --name") {
				t.Fatalf("without a key: exit code %d, %s", code, stderr)
			}
			key := ""
			for _, m := range keysCommand.FindAllStringSubmatch(text, -1) {
				args := strings.Fields(m[1])
				if at := slices.Index(args, "--file") + 1; at > 0 && args[at] == d.made {
					args[at] = file
				}
				code, made, stderr := command(t, args...)
				if code != exitOK {
					t.Fatalf("%s: exit code %d, %s", m[1], code, stderr)
				}
				if key == "" {
					key = strings.TrimSpace(made)
				}
			}
			code, status, stderr := serveOnce(t, here, key)
			if code != exitOK || status != "401 200" {
				t.Errorf("exit code %d, answers %s without and with the key %q: %s", code, status, key, stderr)
			}
		})
	}
}

// serveOnce serves on every address of the machine, asks twice, and stops. It gives the exit
// code, the statuses of the answers without and with the key, and what was said.
func serveOnce(t *testing.T, dir, key string) (code int, statuses, said string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	said1, stderr := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, []string{"--data", filepath.Join(dir, "store"), "--set", "memory.storage=inmem", "--set", "telemetry.log=none", "serve", "--addr", "0.0.0.0:0"},
			strings.NewReader(""), io.Discard, stderr)
		stderr.Close()
	}()
	var all bytes.Buffer
	lines := bufio.NewScanner(said1)
	for lines.Scan() {
		all.WriteString(lines.Text() + "\n")
		at, listening := strings.CutPrefix(lines.Text(), "listening on http://")
		if !listening {
			continue
		}
		_, port, err := net.SplitHostPort(at)
		if err != nil {
			t.Fatal(err)
		}
		statuses = strings.Join([]string{chatStatus(t, port, ""), chatStatus(t, port, key)}, " ")
		cancel()
	}
	return <-ended, statuses, all.String()
}

func chatStatus(t *testing.T, port, key string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1:"+port+"/chat", strings.NewReader(`{"message":"hello"}`))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	status, _, _ := strings.Cut(res.Status, " ")
	return status
}
