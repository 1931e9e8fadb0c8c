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
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/classifier/encoder"
	"github.com/slotway/slotway/config/pattern"
)

// benchStart configures `bench start`.
type benchStart struct {
	runs int
	json bool
}

func newBenchStart(f *flags) *cobra.Command {
	var b benchStart
	cmd := &cobra.Command{
		Use:     "start",
		Example: "  slotway bench start\n  slotway bench start --runs 50 --json",
		Short:   "Measure the time from the start of a process to its first reply",
		Long: `Measure this program as a process of its own: from its start to the first reply of "chat" in a
pipe and of "serve" over HTTP. CPU is that of the whole process, with its end. The first start trains the
classifier and makes the databases; all others find them. The data lies in a folder of its own (inside
--data, otherwise in the system's temporary folder) and is removed afterwards.

"binary_bytes" is the size of this program's file, "encoder_bytes" that of the sentence encoder in it.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if b.runs < 1 {
				return usagef("--runs must be above zero")
			}
			r, err := b.run(cmd, f)
			if err != nil {
				return err
			}
			return output(cmd, b.json, r, printBenchStart)
		},
	}
	cmd.Flags().IntVar(&b.runs, "runs", 20, "starts of each kind")
	cmd.Flags().BoolVar(&b.json, "json", false, "one JSON object")
	return cmd
}

// benchStartResult is the result of `bench start`. Times to the first reply are wall-clock.
type benchStartResult struct {
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

func printBenchStart(out io.Writer, r *benchStartResult) error {
	const mb = 1e6
	return printRows(out, [][2]string{
		{"first reply of chat", fmt.Sprintf("%.0f ms (p50), %.0f ms (max), %.0f ms of CPU; %.0f ms where the classifier has to be trained", r.Chat, r.ChatMax, r.ChatCPU, r.First)},
		{"first reply of serve", fmt.Sprintf("%.0f ms (p50), %.0f ms (max), %.0f ms of CPU", r.Serve, r.ServeMax, r.ServeCPU)},
		{"this program", fmt.Sprintf("%.1f MB, %.1f MB of it the encoder", float64(r.BinaryBytes)/mb, float64(r.EncoderBytes)/mb)},
	})
}

// started is what one start took.
type started struct{ reply, cpu time.Duration }

func (b *benchStart) run(cmd *cobra.Command, f *flags) (r *benchStartResult, err error) {
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	about, err := os.Stat(program)
	if err != nil {
		return nil, fmt.Errorf("look at this program: %w", err)
	}
	if f.data != "" {
		if err := os.MkdirAll(f.data, 0o700); err != nil {
			return nil, fmt.Errorf("make the data folder: %w", err)
		}
	}
	dir, err := os.MkdirTemp(f.data, "slotway-bench-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for the bench: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	r = &benchStartResult{Runs: b.runs, BinaryBytes: about.Size(), EncoderBytes: encoder.Size()}
	ctx, own := cmd.Context(), f.childFlags(dir)
	first, err := firstOfChat(ctx, program, own)
	if err != nil {
		return nil, err
	}
	r.First = milliseconds(first.reply)
	bar := countBar(cmd, "starts", 2*b.runs)
	defer bar.finish()
	var chats, serves []started
	for range b.runs { // by turns, so that noise meets both
		chat, err := firstOfChat(ctx, program, own)
		if err != nil {
			return nil, err
		}
		serve, err := firstOfServe(ctx, program, own)
		if err != nil {
			return nil, err
		}
		chats, serves = append(chats, chat), append(serves, serve)
		bar.add(2)
	}
	r.Chat, r.ChatMax, r.ChatCPU = summarised(chats)
	r.Serve, r.ServeMax, r.ServeCPU = summarised(serves)
	return r, nil
}

// childFlags are the flags of this process for another one, over a folder of its own.
func (f *flags) childFlags(dir string) []string {
	own := []string{"--data", dir}
	if f.agent != "" {
		own = append(own, "--agent", f.agent)
	}
	if f.config != "" {
		own = append(own, "--config", f.config)
	}
	for _, kv := range f.set {
		own = append(own, "--set", kv)
	}
	return own
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
	return quantile(replies, 0.5) / 1e3, quantile(replies, 1) / 1e3, quantile(cpus, 0.5) / 1e3
}

// firstOfChat starts `chat` with a message waiting in the pipe.
func firstOfChat(ctx context.Context, program string, own []string) (started, error) {
	child := exec.CommandContext(ctx, program, append([]string{"chat"}, own...)...)
	var told bytes.Buffer
	child.Stdin, child.Stderr = strings.NewReader(benchQuestion+"\n"), &told
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
var serviceURL = pattern.Must(`http://127\.0\.0\.1:\d+`)

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
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/chat", strings.NewReader(`{"message": "`+benchQuestion+`"}`))
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
