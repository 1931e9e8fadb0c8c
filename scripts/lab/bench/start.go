package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/slotway/slotway/classifier/encoder"
)

// startFlags configure `bench start`.
type startFlags struct {
	program string
	runs    int
	set     settingsFlag
}

// startFigures are the result of `bench start`. Times to the first reply are wall-clock.
type startFigures struct {
	Runs         int     `json:"runs"`
	First        float64 `json:"first_start_ms"` // of chat, with training
	Chat         float64 `json:"chat_p50_ms"`
	ChatMax      float64 `json:"chat_max_ms"`
	ChatCPU      float64 `json:"chat_cpu_p50_ms"`
	Serve        float64 `json:"serve_p50_ms"`
	ServeMax     float64 `json:"serve_max_ms"`
	ServeCPU     float64 `json:"serve_cpu_p50_ms"`
	BinaryBytes  int64   `json:"binary_bytes"`
	EncoderBytes int     `json:"encoder_bytes"` // of the binary
}

// started is what one start took.
type started struct{ reply, cpu time.Duration }

// measureStart starts a program many times: from the start of a process to its first reply. The first
// start trains the classifier and makes the databases; all others find them.
func measureStart(ctx context.Context, s startFlags) (f *startFigures, err error) {
	about, err := os.Stat(s.program)
	if err != nil {
		return nil, fmt.Errorf("look at the program: %w", err)
	}
	dir, err := os.MkdirTemp("", "slotway-bench-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for the bench: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	own := []string{"--data", dir}
	for name, value := range s.set {
		own = append(own, "--set", name+"="+value)
	}
	first, err := firstOfChat(ctx, s.program, own)
	if err != nil {
		return nil, err
	}
	f = &startFigures{Runs: s.runs, BinaryBytes: about.Size(), EncoderBytes: encoder.Size(), First: milliseconds(first.reply)}
	var chats, serves []started
	for range s.runs { // by turns, so that noise meets both
		chat, err := firstOfChat(ctx, s.program, own)
		if err != nil {
			return nil, err
		}
		serve, err := firstOfServe(ctx, s.program, own)
		if err != nil {
			return nil, err
		}
		chats, serves = append(chats, chat), append(serves, serve)
	}
	f.Chat, f.ChatMax, f.ChatCPU = summarised(chats)
	f.Serve, f.ServeMax, f.ServeCPU = summarised(serves)
	return f, nil
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1e3 }

// summarised returns the median and the longest time to the first reply, and the median of CPU.
func summarised(all []started) (p50, longest, cpu float64) {
	var replies, cpus []time.Duration
	for _, s := range all {
		replies, cpus = append(replies, s.reply), append(cpus, s.cpu)
	}
	slices.Sort(replies)
	slices.Sort(cpus)
	return milliseconds(replies[len(replies)/2]), milliseconds(replies[len(replies)-1]), milliseconds(cpus[len(cpus)/2])
}

// firstOfChat starts `chat` with a message waiting in the pipe.
func firstOfChat(ctx context.Context, program string, own []string) (started, error) {
	child := exec.CommandContext(ctx, program, append([]string{"chat"}, own...)...)
	var told bytes.Buffer
	child.Stdin, child.Stderr = strings.NewReader(question+"\n"), &told
	out, err := child.StdoutPipe()
	if err != nil {
		return started{}, fmt.Errorf("start chat: %w", err)
	}
	begin := time.Now()
	if err := child.Start(); err != nil {
		return started{}, fmt.Errorf("start chat: %w", err)
	}
	lines := bufio.NewReader(out)
	reply, err := lines.ReadString('\n')
	took := time.Since(begin)
	if err == nil {
		_, err = io.Copy(io.Discard, lines)
	}
	if failed := child.Wait(); failed != nil || err != nil || strings.TrimSpace(reply) == "" {
		return started{}, fmt.Errorf("chat gave no reply: %w\n%s", errors.Join(failed, err), told.String())
	}
	return started{took, cpuOf(child.ProcessState)}, nil
}

func cpuOf(s *os.ProcessState) time.Duration { return s.UserTime() + s.SystemTime() }

// serviceURL is what `serve` prints when it listens.
var serviceURL = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// firstOfServe starts `serve` and sends it a message as soon as it listens.
func firstOfServe(ctx context.Context, program string, own []string) (started, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	child := exec.CommandContext(ctx, program, append([]string{"serve", "--addr", "127.0.0.1:0", "--set", "telemetry.log=none"}, own...)...)
	child.Cancel = func() error { return child.Process.Signal(os.Interrupt) }
	child.WaitDelay = 10 * time.Second
	told, err := child.StderrPipe()
	if err != nil {
		return started{}, fmt.Errorf("start serve: %w", err)
	}
	begin := time.Now()
	if err := child.Start(); err != nil {
		return started{}, fmt.Errorf("start serve: %w", err)
	}
	lines := bufio.NewScanner(told)
	url := ""
	for url == "" && lines.Scan() {
		url = serviceURL.FindString(lines.Text())
	}
	asked := askOnce(ctx, url)
	took := time.Since(begin)
	stop()
	_, err = io.Copy(io.Discard, told)
	failed := child.Wait()
	if asked != nil {
		return started{}, fmt.Errorf("serve gave no reply: %w", errors.Join(asked, failed, err))
	}
	return started{took, cpuOf(child.ProcessState)}, nil
}

// askOnce sends the first message to a service.
func askOnce(ctx context.Context, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/chat", strings.NewReader(`{"message": "`+question+`"}`))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, resp.Body)
	if resp.StatusCode != http.StatusOK {
		err = errors.Join(err, fmt.Errorf("it answered %s", resp.Status))
	}
	return errors.Join(err, resp.Body.Close())
}
