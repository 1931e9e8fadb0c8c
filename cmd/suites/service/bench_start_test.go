package service

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/slotway/slotway/cmd/internal/programtest"
)

// TestBenchStart: the program starts itself, gets its first replies, and leaves nothing behind.
func TestBenchStart(t *testing.T) {
	dir := t.TempDir()
	out, code := programtest.Run(t, "", "bench", "start", "--runs", "2", "--json", "--data", dir, "--set", "classifier.encoder=off")
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, out)
	}
	var r struct {
		Chat     float64 `json:"chat_p50_ms"`
		ChatMax  float64 `json:"chat_max_ms"`
		ChatCPU  float64 `json:"chat_cpu_p50_ms"`
		Serve    float64 `json:"serve_p50_ms"`
		ServeCPU float64 `json:"serve_cpu_p50_ms"`
		Binary   int     `json:"binary_bytes"`
		Encoder  int     `json:"encoder_bytes"`
	}
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	if r.Chat <= 0 || r.ChatMax < r.Chat || r.ChatCPU <= 0 || r.Serve <= 0 || r.ServeCPU <= 0 || r.Encoder <= 0 || r.Binary < r.Encoder {
		t.Errorf("measured %s", out)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
