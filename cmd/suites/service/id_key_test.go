package service

import (
	"bufio"
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/telemetry"

	"github.com/slotway/slotway/internal/test/runtimetest"
)

// TestReplicasTellOneDigest: replicas that share a key log the same digest of an id. Replicas with
// keys of their own log different ones.
func TestReplicasTellOneDigest(t *testing.T) {
	t.Setenv("ID_KEY", strings.Repeat("key of the whole service ", 2))
	told := func(set ...string) string {
		var lines bytes.Buffer
		set = append([]string{"telemetry.log=stderr", "memory.storage=inmem"}, set...)
		a, err := runtimetest.Try(t.Context(), runtimetest.Config{Data: t.TempDir(), Set: set, Options: slotway.Options{NoHTTP: true, Stderr: &lines}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = a.Router().Handle(t.Context(), router.Interaction{Text: "hello", Context: router.Context{SessionID: "order O-12345"}})
		if closed := a.Close(); err != nil || closed != nil {
			t.Fatal(err, closed)
		}
		ids := map[string]bool{}
		last := ""
		for scan := bufio.NewScanner(&lines); scan.Scan(); {
			var line struct {
				SessionID string `json:"session_id"`
			}
			if err := json.Unmarshal(scan.Bytes(), &line); err == nil && line.SessionID != "" {
				last = line.SessionID
				ids[last] = true
			}
		}
		if len(ids) != 1 || !strings.HasPrefix(last, telemetry.IDPrefix) {
			t.Fatalf("a session is told as %v, want one digest", ids)
		}
		return last
	}
	one, two := told("telemetry.id_key_env=ID_KEY"), told("telemetry.id_key_env=ID_KEY")
	if one != two {
		t.Errorf("two replicas with one key tell %s and %s", one, two)
	}
	if own := told(); own == one || own == told() {
		t.Errorf("without a shared key a data folder tells %s, want a digest of its own", own)
	}
}

func TestBadIDKey(t *testing.T) {
	t.Setenv("ID_KEY", "canary")
	_, err := runtimetest.Try(t.Context(), runtimetest.Config{Data: t.TempDir(), Set: []string{"telemetry.id_key_env=ID_KEY", "memory.storage=inmem"}, Options: slotway.Options{NoHTTP: true}})
	if err == nil || !strings.Contains(err.Error(), "telemetry.id_key_env is ID_KEY") || strings.Contains(err.Error(), "canary") {
		t.Errorf("a short key: %v, want an error that names the setting and not the value", err)
	}
}
