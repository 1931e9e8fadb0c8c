package replay

import (
	"path/filepath"
	"regexp"
	"time"

	"github.com/slotway/slotway/config/source"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/tools"
)

// Conversation is one conversation of a replay file.
type Conversation struct {
	Name      string
	File      string // that it stands in
	Line      int
	Agent     string                     // the agent's YAML, relative to File; "": the default agent
	Tools     map[string][]tools.Outcome // what tools answer, in turn, in place of the real ones
	Store     string                     // StoreInMemory or StoreSQLite
	Session   string                     // session id; default "replay"
	User      string                     // user id; default "replay"
	Start     time.Time                  // of the clock, at the first turn
	Telemetry string                     // golden telemetry, relative to File; "": not compared
	Turns     []Turn                     // at least one
}

// The stores that a conversation may run on.
const (
	StoreInMemory = "inmem"
	StoreSQLite   = "sqlite"
)

// Turn is one message of the user, or one action of a person, with its expected result.
type Turn struct {
	Line    int
	User    string           // what is said, by the user or in an answer of a person; may be empty
	Person  *router.HandOver // what a person does; nil: it is a message of the user
	ID      string           // of the interaction; default "t" and the turn's number in the file
	After   time.Duration    // since the turn before; not negative
	Restart bool             // close the runtime and open it again on the same data before this turn
	Agent   string           // the agent's YAML from here on, relative to Conversation.File; only with Restart; "": as before
	Preset  *planner.Preset  // set before the message is read; nil: nothing
	Expect  []Expectation    // in the file's order
}

// Expectation is one expected value of a turn.
type Expectation struct {
	Key      string
	node     *source.Node
	patterns []*regexp.Regexp // of reply_matches
	exact    bool             // of params: no others may be known
}

// Line returns the line of the expected value.
func (e Expectation) Line() int { return e.node.Pos().Line }

// AgentPath returns the path of the agent's YAML, "" for the default agent.
func (c *Conversation) AgentPath() string { return c.path(c.Agent) }

// TelemetryPath returns the path of the golden telemetry, "" if there is none.
func (c *Conversation) TelemetryPath() string { return c.path(c.Telemetry) }

// path resolves a file name relative to the folder of the replay file.
func (c *Conversation) path(name string) string {
	if name == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(c.File), filepath.FromSlash(name))
}

// defaultStart is the clock's time at the first turn: a Monday morning.
var defaultStart = time.Date(2026, time.January, 5, 9, 0, 0, 0, time.UTC)

// defaultID names a session or a user that the file does not name.
const defaultID = "replay"
