package mcptool

import (
	"bytes"
	"strings"
	"sync"

	"golang.org/x/time/rate"
)

const (
	// maxLine bounds a line of a server's standard error, in bytes: what follows is dropped.
	maxLine = 1 << 10
	// linesPerSecond bounds how many lines are told.
	linesPerSecond = 20
	// rememberedCalls is of how many calls the arguments and results are looked for in what a
	// server writes.
	rememberedCalls = 64
	// heldLines bounds how many lines wait for the calls under way.
	heldLines = 200
)

// Told is a line that a server wrote to its standard error. Values holds the arguments and results
// of the latest calls and what the declaration's variables stand for: none of it may be logged.
type Told struct {
	Server  string
	Line    string // empty: only Dropped is told
	Dropped int    // lines before it that were left out
	Values  map[string]any
}

// OnStderr sets who is told of what the server's program writes to its standard error. It is
// called before the first call; without it those lines are dropped.
func (s *Server) OnStderr(tell func(Told)) { s.said.tell = tell }

// said collects a program's standard error into lines. A line that is written while calls are
// under way waits for their end: it may hold what their results hold.
type said struct {
	server string
	tell   func(Told)
	limit  *rate.Limiter
	local  bool // there is a program here; of another machine's server nothing is kept

	mu      sync.Mutex // guards what follows
	line    []byte
	held    []heldLine
	dropped int
	secrets []any
	calls   [rememberedCalls]map[string]any
	running map[int]bool // by the number of the call
	next    int
}

// heldLine is a line that waits for the end of all calls with a lower number.
type heldLine struct {
	text   string
	before int
}

func newSaid(server string) *said {
	return &said{server: server, limit: rate.NewLimiter(linesPerSecond, linesPerSecond), running: map[int]bool{}}
}

// begin keeps the arguments of a call, so that they can be found in what is written. The call's
// number is for end.
func (s *said) begin(args map[string]any) int {
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

// end keeps the result of a call and tells the lines that waited for it.
func (s *said) end(call int, result any) {
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

// Write takes what the program writes. It never fails: a program must not end because nobody
// takes its complaints.
func (s *said) Write(p []byte) (int, error) {
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

// flush takes the line collected so far, and tells it where no call is under way.
func (s *said) flush() {
	s.mu.Lock()
	line := strings.TrimSpace(strings.ToValidUTF8(string(s.line), "\uFFFD"))
	s.line = s.line[:0]
	switch {
	case line == "" || s.tell == nil:
	case len(s.held) == heldLines || !s.limit.Allow():
		s.dropped++
	default:
		s.held = append(s.held, heldLine{line, s.next})
	}
	told := s.ready()
	s.mu.Unlock()
	s.tellAll(told)
}

// close tells the last line, without its end, and how many were left out after it.
func (s *said) close() {
	s.flush()
	s.mu.Lock()
	var told []Told
	if s.dropped > 0 && s.tell != nil {
		told = append(told, Told{Server: s.server, Dropped: s.dropped})
		s.dropped = 0
	}
	s.mu.Unlock()
	s.tellAll(told)
}

// ready takes the lines that wait for no call any more. The lock is held.
func (s *said) ready() []Told {
	oldest := s.next
	for call := range s.running {
		oldest = min(oldest, call)
	}
	var told []Told
	for len(s.held) > 0 && s.held[0].before <= oldest {
		told = append(told, Told{Server: s.server, Line: s.held[0].text, Dropped: s.dropped, Values: map[string]any{"": s.values()}})
		s.held, s.dropped = s.held[1:], 0
	}
	return told
}

// values are what may stand in no line. The lock is held.
func (s *said) values() []any {
	values := []any{s.secrets}
	for _, call := range s.calls {
		if call != nil {
			values = append(values, call)
		}
	}
	return values
}

func (s *said) tellAll(told []Told) {
	for _, t := range told {
		s.tell(t)
	}
}
