package mcpserver

import (
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// sessionTable holds the MCP sessions over HTTP and their users. The SDK limits neither the number of
// sessions nor those of one user.
type sessionTable struct {
	server     *mcp.Server
	max        int // open at once
	maxPerUser int // of one user; negative: no bound

	mu       sync.Mutex // guards what follows
	reserved map[string]int
	entries  map[string]*sessionEntry // by session id
	clock    int64
}

// sessionEntry is one session.
type sessionEntry struct {
	user    string
	lastUse int64 // when it was used last: a number that grows with each use
	running int   // requests under way; the stream that a client keeps open is none
	closing bool  // it is being closed
}

func newSessionTable(server *mcp.Server, o HTTPOptions) *sessionTable {
	return &sessionTable{server: server, max: o.MaxSessions, maxPerUser: o.MaxUserSessions, reserved: map[string]int{}, entries: map[string]*sessionEntry{}}
}

// reserve takes a slot for a session that a user is about to open. If the user has too many, the least
// recently used one is closed: its client learns that there is no such session, and begins another.
// why is not "" if there is no slot. A session that is being opened may be counted twice, never too
// few times.
func (g *sessionTable) reserve(user string) (why string) {
	g.mu.Lock()
	open, oldest := g.count(user)
	if open.all+g.reservations() >= g.max {
		g.mu.Unlock()
		return "too many sessions are open"
	}
	full := g.maxPerUser >= 0 && open.own+g.reserved[user] >= g.maxPerUser
	if full && oldest == nil {
		g.mu.Unlock()
		return "too many of the user's sessions are at work"
	}
	g.reserved[user]++
	if full {
		g.entries[oldest.ID()].closing = true
	}
	g.mu.Unlock()
	if full {
		_ = oldest.Close() // the error does not matter: the slot is released either way
	}
	return ""
}

// sessionCount counts open sessions.
type sessionCount struct{ all, own int }

// count counts the open sessions, removes the entries of ended ones, and finds the user's least
// recently used session that is idle. g.mu is held.
func (g *sessionTable) count(user string) (n sessionCount, oldest *mcp.ServerSession) {
	alive := map[string]bool{}
	for session := range g.server.Sessions() {
		id := session.ID()
		if id == "" { // of a protocol without sessions
			continue
		}
		alive[id] = true
		one := g.entries[id]
		if one != nil && one.closing {
			continue
		}
		n.all++
		if one == nil || one.user != user {
			continue
		}
		n.own++
		if one.running == 0 && (oldest == nil || one.lastUse < g.entries[oldest.ID()].lastUse) {
			oldest = session
		}
	}
	for id := range g.entries {
		if !alive[id] {
			delete(g.entries, id)
		}
	}
	return n, oldest
}

// reservations counts the sessions that are being opened. g.mu is held.
func (g *sessionTable) reservations() int {
	n := 0
	for _, begun := range g.reserved {
		n += begun
	}
	return n
}

// opened releases a reservation: the session with this id is open and counts; "" means that none was
// opened.
func (g *sessionTable) opened(user, id string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.reserved[user]--; g.reserved[user] == 0 {
		delete(g.reserved, user)
	}
	if id != "" {
		g.clock++
		g.entries[id] = &sessionEntry{user: user, lastUse: g.clock}
	}
}

// use notes a request of a session until done is called. It is false for a session that is being
// closed. Requests of other users with the session's id do not count.
func (g *sessionTable) use(id, user string) (done func(), ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	one := g.entries[id]
	if one == nil || one.user != user { // the SDK refuses it
		return func() {}, true
	}
	if one.closing {
		return nil, false
	}
	g.clock++
	one.lastUse = g.clock
	one.running++
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		one.running--
	}, true
}
