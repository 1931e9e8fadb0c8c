package recorded

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
)

// Environment variables for recording.
const (
	recordEnv = "SLOTWAY_RECORD"        // a regular expression of files' paths
	serverEnv = "SLOTWAY_RECORD_SERVER" // scheme and host of the server that Server asks
)

// maxBody limits a body, in bytes.
const maxBody = 32 << 20

// ErrNotRecorded is the error for a request that is not in the file.
var ErrNotRecorded = errors.New("no recording")

// Tape replays the exchanges of one file, or records them. It is safe for concurrent use.
type Tape struct {
	path string
	real http.RoundTripper // nil: replay

	mu        sync.Mutex     // guards the fields below
	exchanges []exchange     // from the file, or recorded
	played    map[string]int // how often each request was answered
	missed    []string       // requests that are not recorded
}

var _ http.RoundTripper = (*Tape)(nil)

// Open reads a file of exchanges, or prepares to record it if SLOTWAY_RECORD says so.
func Open(path string) (*Tape, error) {
	t := &Tape{path: path, played: map[string]int{}}
	if pattern := os.Getenv(recordEnv); pattern != "" {
		re, err := regexp.Compile(pattern)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", recordEnv, err)
		}
		if re.MatchString(filepath.ToSlash(path)) {
			t.real = http.DefaultTransport
			return t, nil
		}
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%w; to make one, set %s to a pattern of its path", err, recordEnv)
	}
	if t.exchanges, err = parse(raw); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// Recording reports whether requests go to the real server.
func (t *Tape) Recording() bool { return t.real != nil }

// RoundTrip answers a request from the file. Its errors match ErrNotRecorded.
func (t *Tape) RoundTrip(req *http.Request) (*http.Response, error) {
	var body []byte
	if req.Body != nil {
		defer req.Body.Close()
		var err error
		if body, err = readBody(req.Body); err != nil {
			return nil, fmt.Errorf("read the request: %w", err)
		}
	}
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	s := newScrubber(req.Header)
	asked := request{method: req.Method, target: s.target(req.URL), body: s.body(body)}
	if t.Recording() {
		return t.record(req, body, asked, s)
	}
	answer, ok := t.play(asked)
	if !ok {
		return nil, fmt.Errorf("%w of %s %s in %s", ErrNotRecorded, asked.method, asked.target, t.path)
	}
	return answer.http(req), nil
}

// play returns the next response to a request.
func (t *Tape) play(asked request) (response, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	key := asked.key()
	turn, found := t.played[key], -1
	for i, e := range t.exchanges {
		if e.request.key() != key {
			continue
		}
		found = i
		if turn == 0 {
			break
		}
		turn--
	}
	if found < 0 {
		t.missed = append(t.missed, asked.method+" "+asked.target+"\n"+asked.body)
		return response{}, false
	}
	t.played[key]++
	return t.exchanges[found].response, true
}

// record asks the real server, and returns the response in the form of a replay.
func (t *Tape) record(req *http.Request, body []byte, asked request, s scrubber) (*http.Response, error) {
	out := req.Clone(req.Context())
	out.Body = io.NopCloser(bytes.NewReader(body))
	out.Header.Del("Accept-Encoding") // so that the transport decompresses
	resp, err := t.real.RoundTrip(out)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	text, err := readBody(resp.Body)
	if err != nil {
		return nil, fmt.Errorf("read the response: %w", err)
	}
	answer := response{status: resp.StatusCode, header: http.Header{}, body: s.body(text)}
	for _, name := range keptHeaders {
		if v := resp.Header.Get(name); v != "" {
			answer.header.Set(name, s.text(v))
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.exchanges = append(t.exchanges, exchange{asked, answer})
	return answer.http(req), nil
}

// readBody reads a body of at most maxBody bytes.
func readBody(r io.Reader) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(r, maxBody+1))
	if err == nil && len(raw) > maxBody {
		err = fmt.Errorf("larger than %d bytes", maxBody)
	}
	return raw, err
}

// Missed returns the requests so far that are not in the file, in order, each with its body.
func (t *Tape) Missed() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.missed)
}

// Save writes the recorded exchanges; it does nothing during a replay.
func (t *Tape) Save() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.Recording() {
		return nil
	}
	if len(t.exchanges) == 0 {
		return fmt.Errorf("%s: nothing was asked that could be recorded", t.path)
	}
	raw, err := format(t.exchanges)
	if err != nil {
		return fmt.Errorf("%s: %w", t.path, err)
	}
	if err := os.MkdirAll(filepath.Dir(t.path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(t.path, raw, 0o644)
}
