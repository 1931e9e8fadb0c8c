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
	// linesPerSecond and lineBurst bound how many lines are told.
	linesPerSecond, lineBurst = 20, 200
	// rememberedCalls is how many calls' arguments are looked for in what a server writes.
	rememberedCalls = 64
)

// Told is a line that a server wrote to its standard error. Values holds the arguments of the
// latest calls and what the declaration's variables stand for: none of it may be logged.
type Told struct {
	Server  string
	Line    string
	Dropped int // lines before it that came too fast to be told
	Values  map[string]any
}

// OnStderr sets who is told of what the server's program writes to its standard error. It is
// called before the first call; without it those lines are dropped.
func (s *Server) OnStderr(tell func(Told)) { s.said.tell = tell }

// said collects a program's standard error into lines.
type said struct {
	server string
	tell   func(Told)
	limit  *rate.Limiter

	mu      sync.Mutex // guards what follows
	line    []byte
	dropped int
	secrets []any
	calls   [rememberedCalls]map[string]any
	next    int
}

func newSaid(server string) *said {
	return &said{server: server, limit: rate.NewLimiter(linesPerSecond, lineBurst)}
}

// remember keeps the arguments of a call, so that they can be found in what is written.
func (s *said) remember(args map[string]any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls[s.next%rememberedCalls] = args
	s.next++
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

// flush tells the line collected so far.
func (s *said) flush() {
	s.mu.Lock()
	told := Told{Server: s.server, Line: strings.TrimSpace(strings.ToValidUTF8(string(s.line), "\uFFFD")), Dropped: s.dropped}
	s.line = s.line[:0]
	quiet := told.Line == "" || s.tell == nil
	if !quiet && !s.limit.Allow() {
		s.dropped++
		quiet = true
	}
	if quiet {
		s.mu.Unlock()
		return
	}
	s.dropped = 0
	values := []any{s.secrets}
	for _, args := range s.calls {
		if args != nil {
			values = append(values, args)
		}
	}
	s.mu.Unlock()
	told.Values = map[string]any{"": values}
	s.tell(told)
}
