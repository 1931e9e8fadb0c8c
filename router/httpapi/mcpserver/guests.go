package mcpserver

import (
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// guests are the sessions over HTTP, and whose they are. The SDK bounds neither how many
// there are nor how many one user has.
type guests struct {
	server *mcp.Server
	most   int // open at once
	each   int // of one user; negative: no bound

	mu    sync.Mutex // guards what follows
	begun map[string]int
	known map[string]*guest // by session id
	uses  int64
}

// guest is one session.
type guest struct {
	user    string
	used    int64 // when it was used last: a number that grows with each use
	running int   // requests under way; the stream that a client keeps open is none
	leaving bool  // it is being closed
}

func newGuests(server *mcp.Server, o HTTPOptions) *guests {
	return &guests{server: server, most: o.MaxSessions, each: o.MaxUserSessions, begun: map[string]int{}, known: map[string]*guest{}}
}

// begin takes a place for a session of a user that is to be opened. Where the user has all
// that one may have, the one that was not used for longest is closed: its client is told that
// there is no such session, and begins another. why is not "" when there is no place.
// Sessions being opened may be counted twice, never too few times.
func (g *guests) begin(user string) (why string) {
	g.mu.Lock()
	open, oldest := g.count(user)
	if open.all+g.opening() >= g.most {
		g.mu.Unlock()
		return "too many sessions are open"
	}
	full := g.each >= 0 && open.own+g.begun[user] >= g.each
	if full && oldest == nil {
		g.mu.Unlock()
		return "too many of the user's sessions are at work"
	}
	g.begun[user]++
	if full {
		g.known[oldest.ID()].leaving = true
	}
	g.mu.Unlock()
	if full {
		_ = oldest.Close() // nobody waits for it; what was held is let go either way
	}
	return ""
}

// open counts sessions.
type open struct{ all, own int }

// count counts the open sessions, forgets those that have ended, and finds the one of the
// user that was not used for longest and is not at work. g.mu is held.
func (g *guests) count(user string) (n open, oldest *mcp.ServerSession) {
	alive := map[string]bool{}
	for session := range g.server.Sessions() {
		id := session.ID()
		if id == "" { // of a protocol without sessions
			continue
		}
		alive[id] = true
		one := g.known[id]
		if one != nil && one.leaving {
			continue
		}
		n.all++
		if one == nil || one.user != user {
			continue
		}
		n.own++
		if one.running == 0 && (oldest == nil || one.used < g.known[oldest.ID()].used) {
			oldest = session
		}
	}
	for id := range g.known {
		if !alive[id] {
			delete(g.known, id)
		}
	}
	return n, oldest
}

// opening is how many sessions are being opened. g.mu is held.
func (g *guests) opening() int {
	n := 0
	for _, begun := range g.begun {
		n += begun
	}
	return n
}

// begins gives the place back: the session of this id is open and counts, or, with "", there
// is none.
func (g *guests) begins(user, id string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.begun[user]--; g.begun[user] == 0 {
		delete(g.begun, user)
	}
	if id != "" {
		g.uses++
		g.known[id] = &guest{user: user, used: g.uses}
	}
}

// use notes that a request of a session is under way until done is called. It is false for
// one that is being closed. What others send with the session's id is not its use.
func (g *guests) use(id, user string) (done func(), ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	one := g.known[id]
	if one == nil || one.user != user { // the SDK refuses it
		return func() {}, true
	}
	if one.leaving {
		return nil, false
	}
	g.uses++
	one.used = g.uses
	one.running++
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		one.running--
	}, true
}
