package mcptool

import (
	"bytes"
	"strings"
	"sync"

	"golang.org/x/time/rate"
)

const (
	// maxLine limits a line of a server's standard error, in bytes; the rest is dropped.
	maxLine = 1 << 10
	// linesPerSecond limits the rate of lines.
	linesPerSecond = 20
	// rememberedCalls is the number of calls whose arguments and results are kept, to find them in
	// what a server writes.
	rememberedCalls = 64
	// heldLines limits the lines that wait for calls in progress.
	heldLines = 200
)

// StderrLine is a line that a server wrote to standard error. Values holds the arguments and results of
// recent calls and the values of the declaration's variables: none of them may be logged.
type StderrLine struct {
	Server  string
	Line    string // "": only Dropped counts
	Dropped int    // dropped lines before this one
	Values  map[string]any
}

// OnStderr sets the function that gets what the server's program writes to standard error. Call it
// before the first call; without it the lines are dropped.
func (s *Server) OnStderr(tell func(StderrLine)) { s.stderr.tell = tell }

// stderrLog collects a program's standard error line by line. A line written during calls waits for
// their end, since it may hold parts of their results.
type stderrLog struct {
	server string
	tell   func(StderrLine)
	limit  *rate.Limiter
	local  bool // the server is a program here; a remote one has no standard error

	mu      sync.Mutex // guards the fields below
	line    []byte
	held    []waitingLine
	dropped int
	secrets []any
	calls   [rememberedCalls]map[string]any
	running map[int]bool // by call number
	next    int
}

// waitingLine waits for the end of all calls with a lower number.
type waitingLine struct {
	text   string
	before int
}

func newStderrLog(server string) *stderrLog {
	return &stderrLog{server: server, limit: rate.NewLimiter(linesPerSecond, linesPerSecond), running: map[int]bool{}}
}

// begin records the arguments of a call, to find them in what the program writes. It returns the
// call's number for end.
func (s *stderrLog) begin(args map[string]any) int {
	if !s.local {
		return 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls[s.next%rememberedCalls] = map[string]any{"arguments": args}
	s.running[s.next] = true
	s.next++
	return s.next - 1
}

// end records the result of a call and releases the lines that waited for it.
func (s *stderrLog) end(call int, result any) {
	if !s.local {
		return
	}
	s.mu.Lock()
	delete(s.running, call)
	if s.next-call <= rememberedCalls {
		s.calls[call%rememberedCalls] = map[string]any{"arguments": s.calls[call%rememberedCalls]["arguments"], "result": result}
	}
	told := s.ready()
	s.mu.Unlock()
	s.tellAll(told)
}

// Write implements io.Writer. It never fails: a program must not end because nobody reads its
// messages.
func (s *stderrLog) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		text, rest, ended := bytes.Cut(p, []byte("\n"))
		s.mu.Lock()
		s.line = append(s.line, text[:min(len(text), maxLine-len(s.line))]...)
		s.mu.Unlock()
		if p = rest; ended {
			s.flush()
		}
	}
	return n, nil
}

// flush completes the current line, and releases it if no call is in progress.
func (s *stderrLog) flush() {
	s.mu.Lock()
	line := strings.TrimSpace(strings.ToValidUTF8(string(s.line), "\uFFFD"))
	s.line = s.line[:0]
	switch {
	case line == "" || s.tell == nil:
	case len(s.held) == heldLines || !s.limit.Allow():
		s.dropped++
	default:
		s.held = append(s.held, waitingLine{line, s.next})
	}
	told := s.ready()
	s.mu.Unlock()
	s.tellAll(told)
}

// close releases the last, incomplete line, and reports how many were dropped after it.
func (s *stderrLog) close() {
	s.flush()
	s.mu.Lock()
	var told []StderrLine
	if s.dropped > 0 && s.tell != nil {
		told = append(told, StderrLine{Server: s.server, Dropped: s.dropped})
		s.dropped = 0
	}
	s.mu.Unlock()
	s.tellAll(told)
}

// ready returns the lines that wait for no call any more. The caller holds the lock.
func (s *stderrLog) ready() []StderrLine {
	oldest := s.next
	for call := range s.running {
		oldest = min(oldest, call)
	}
	var told []StderrLine
	for len(s.held) > 0 && s.held[0].before <= oldest {
		told = append(told, StderrLine{Server: s.server, Line: s.held[0].text, Dropped: s.dropped, Values: map[string]any{"": s.values()}})
		s.held, s.dropped = s.held[1:], 0
	}
	return told
}

// values returns the values that no line may show. The caller holds the lock.
func (s *stderrLog) values() []any {
	values := []any{s.secrets}
	for _, call := range s.calls {
		if call != nil {
			values = append(values, call)
		}
	}
	return values
}

func (s *stderrLog) tellAll(told []StderrLine) {
	for _, t := range told {
		s.tell(t)
	}
}
