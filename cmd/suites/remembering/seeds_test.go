package remembering

import (
	"context"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/internal/test/telemetrytest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/sessions"
	"github.com/slotway/slotway/router/telemetry"

	"github.com/slotway/slotway/internal/test/runtimetest"
)

// companion is the companion agent with memory, a mirror for its model, and a clock of its own.
type companion struct {
	t      testing.TB
	app    *runtimetest.Runtime
	model  *mirror
	events telemetry.Recorder

	mu  sync.Mutex // guards now: jobs look at it too
	now time.Time
}

func newCompanion(t testing.TB, set ...string) *companion {
	t.Helper()
	return newCompanionOf(t, runtimetest.CompanionAgent(t), set...)
}

func newCompanionOf(t testing.TB, agent *config.Agent, set ...string) *companion {
	t.Helper()
	c := &companion{t: t, model: &mirror{}, now: time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)}
	server := httptest.NewServer(c.model)
	t.Cleanup(server.Close)
	set = append([]string{"memory.storage=inmem", "models.chat.model=small", "models.chat.base_url=" + server.URL + "/v1"}, set...)
	c.app = runtimetest.Open(t, runtimetest.Config{Set: set, Options: slotway.Options{NoHTTP: true, Agent: agent, Sink: telemetrytest.Checked(t, &c.events), Now: c.clock}})
	return c
}

func (c *companion) clock() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *companion) wait(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// turn runs one turn in a user's session.
func (c *companion) turn(user, session, text string) router.Reply {
	c.t.Helper()
	c.wait(time.Second)
	return c.app.Say(user, session, text)
}

// say runs one turn in a user's session and returns the reply, which must come from the model.
func (c *companion) say(user, session, text string) string {
	c.t.Helper()
	before := c.model.requests()
	reply := c.turn(user, session, text)
	if c.model.requests() == before { // more than one: the background had moved the session on meanwhile
		c.t.Fatalf("%q: %q without the model", text, reply.Reply)
	}
	return reply.Reply
}

// settle waits until no background job is left.
func (c *companion) settle() {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), time.Minute)
	defer cancel()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		list, err := c.app.Store().Jobs(ctx, memory.JobQuery{})
		if err != nil {
			c.t.Fatal(err)
		}
		if len(list) == 0 {
			return
		}
		for _, j := range list {
			if j.Attempts > 0 {
				c.t.Fatalf("job %s failed with %s", j.Kind, j.Code)
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			c.t.Fatalf("%d jobs are left", len(list))
		}
	}
}

// healthy fails the test if a turn went without one of the tiers, or anything else went wrong.
func (c *companion) healthy() {
	c.t.Helper()
	for _, e := range c.events.Events() {
		if e.Level >= telemetry.LevelWarn {
			c.t.Errorf("event %+v", e.Payload)
		}
	}
}

// chatter is small talk.
var chatter = []string{
	"the train was late again", "we had soup for lunch", "it rains since noon", "the neighbour plays the trumpet",
	"my bicycle has a flat tyre", "the meeting took two hours", "somebody ate the last biscuit", "the lift is out of order",
	"the printer is jammed", "a parcel came for the dentist", "the tulips are out", "tomorrow is a holiday",
}

// TestNameIsRemembered: the agent knows a person's name in the next turn, and long after the name
// left the window, with each strategy, before and after the background jobs.
func TestNameIsRemembered(t *testing.T) {
	for _, strategy := range []string{"simple", "summarization", "hybrid"} {
		t.Run(strategy, func(t *testing.T) {
			c := newCompanion(t, "memory.strategy="+strategy, "memory.max_turns=2",
				"memory.summary.trigger_message_count=6", "memory.summary.recent_message_count=4")
			c.say("ann", "s", "My name is Alice")
			if reply := c.say("ann", "s", "What's my name?"); reply != "You are Alice." {
				t.Errorf("in the next turn: %q, told\n%s", reply, c.model.told())
			}
			for range 3 {
				for _, text := range chatter {
					c.say("ann", "s", text)
				}
			}
			if reply := c.say("ann", "s", "What's my name?"); reply != "You are Alice." {
				t.Errorf("%d turns later: %q, told\n%s", 3*len(chatter), reply, c.model.told())
			}
			c.settle()
			// The first answer is in the past as well: only what the person said counts.
			c.say("ann", "s", "What's my name?")
			told := c.model.told()
			if !strings.Contains(told, "My name is Alice") && !strings.Contains(told, "name: Alice") {
				t.Errorf("after the background work the model is told\n%s", told)
			}
			if n := strings.Count(told, "user: "); n > 40 {
				t.Errorf("%d messages of the person are told verbatim", n)
			}
			if strategy != "simple" && !strings.Contains(told, "What is known so far:") {
				t.Errorf("no facts are told:\n%s", told)
			}
			if reply := c.say("eve", "s", "What's my name?"); reply != "You have not told me." {
				t.Errorf("somebody else: %q", reply)
			}
			c.healthy()
		})
	}
}

// TestRecallReachesBack: a message that a summary has replaced in the window is still quoted for a
// question about it, also after a pause, unless it was forgotten since then, or undone.
func TestRecallReachesBack(t *testing.T) {
	c := newCompanion(t, "memory.strategy=hybrid", "memory.max_turns=2", "memory.summary.trigger_message_count=6",
		"memory.summary.recent_message_count=4", "memory.compression.threshold_tokens=100", "memory.compression.recent_messages_to_keep=4")
	key := memory.Key{UserID: "ann", AgentID: c.app.Agent().ID, SessionID: "s"}
	ask := func() bool {
		t.Helper()
		c.say("ann", "s", "where did we put the flowerpot?")
		return strings.Contains(c.model.told(), "> [user, 2026-05-04] the flowerpot is behind the shed")
	}
	c.say("ann", "s", "the flowerpot is behind the shed")
	for _, text := range chatter {
		c.say("ann", "s", text)
		c.settle()
	}
	snap, err := c.app.Store().Load(t.Context(), key, memory.LoadOptions{})
	if err != nil || snap.Floor < 3 {
		t.Fatalf("the window begins at message %d, %v: nothing was compressed", snap.Floor, err)
	}
	if !ask() {
		t.Errorf("not quoted:\n%s", c.model.told())
	}
	c.wait(2 * time.Hour)
	if !ask() {
		t.Errorf("not quoted after a pause:\n%s", c.model.told())
	}
	if _, err := sessions.Clear(t.Context(), c.app.Store(), key, c.clock()); err != nil {
		t.Fatal(err)
	}
	if ask() || strings.Contains(c.model.told(), "shed") {
		t.Errorf("quoted although it was forgotten:\n%s", c.model.told())
	}

	c.say("ann", "s", "the flowerpot is behind the shed")
	c.say("ann", "s", "the shovel is behind the shed as well")
	if _, err := sessions.Undo(t.Context(), c.app.Store(), key, time.Now()); err != nil {
		t.Fatal(err)
	}
	for _, text := range chatter {
		c.say("ann", "s", text)
		c.settle()
	}
	if !ask() || strings.Contains(c.model.told(), "shovel") {
		t.Errorf("after a turn was taken back:\n%s", c.model.told())
	}
	c.healthy()
}

// TestOtherSessions: a second conversation finds messages of the first, by the words of the
// question or because the settings always search there. It never finds another user's.
func TestOtherSessions(t *testing.T) {
	const question = "What did we discuss about authentication?"
	for name, test := range map[string]struct {
		ask string
		set []string
	}{
		"by the question":         {question, nil},
		"always":                  {"I need the authentication of my stamp service", []string{"memory.knowledge_base.search_always=true"}},
		"by own trigger":          {"tell me once more about authentication", []string{"memory.knowledge_base.search_triggers=once more"}},
		"with archive":            {question, []string{"memory.compression.archive_conversations=true"}},
		"with archive, no recall": {question, []string{"memory.compression.archive_conversations=true", "memory.rag.enabled=false"}},
		"with hybrid":             {question, []string{"memory.strategy=hybrid"}},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCompanion(t, append(test.set, "memory.knowledge_base.enable_cross_session_context=true")...)
			c.say("ann", "first", "I build a service for stamp collectors and its authentication is by signed tokens")
			c.say("ann", "first", "the tokens are good for one hour")
			c.say("bob", "other", "our authentication is by smart card and retina scan")
			for _, text := range chatter {
				c.say("ann", "first", text)
			}
			c.settle()
			c.wait(40 * time.Minute) // the first conversation is over
			c.say("ann", "second", "the shutters are closed")
			c.settle()
			reply := c.say("ann", "second", test.ask)
			if !strings.Contains(reply, "signed tokens") {
				t.Errorf("%q finds %q, told\n%s", test.ask, reply, c.model.told())
			}
			told := c.model.told()
			if strings.Contains(told, "smart card") {
				t.Errorf("somebody else's words are told:\n%s", told)
			}
			if slices.Contains(test.set, "memory.compression.archive_conversations=true") && !strings.Contains(told, "one hour") {
				t.Errorf("what else the conversation said is not told:\n%s", told)
			}
			if reply := c.say("cem", "new", test.ask); strings.Contains(reply, "signed") || strings.Contains(reply, "smart card") {
				t.Errorf("a stranger is told %q", reply)
			}
			c.healthy()
		})
	}
	for name, test := range map[string]struct {
		ask string
		set []string
	}{
		"without a trigger":   {"authentication of what kind", []string{"memory.knowledge_base.enable_cross_session_context=true"}},
		"where it is off":     {question, nil},
		"off, and always":     {question, []string{"memory.knowledge_base.search_always=true"}},
		"at a threshold of 1": {question, []string{"memory.knowledge_base.enable_cross_session_context=true", "memory.knowledge_base.relevance_threshold=1"}},
		"nothing is recalled": {question, []string{"memory.knowledge_base.enable_cross_session_context=true", "memory.rag.enabled=false"}},
	} {
		c := newCompanion(t, test.set...)
		c.say("ann", "first", "our authentication is by signed tokens")
		c.settle()
		if c.say("ann", "second", test.ask); strings.Contains(c.model.told(), "signed") {
			t.Errorf("%s: the other session is told:\n%s", name, c.model.told())
		}
		c.healthy()
	}
}

// TestOneMinute: after a minute of silence the window begins anew, and what was said is known.
func TestOneMinute(t *testing.T) {
	for _, by := range []string{"setting", "environment"} {
		t.Run(by, func(t *testing.T) {
			var set []string
			if by == "setting" {
				set = append(set, "memory.ttl=1m")
			} else {
				t.Setenv("MEMORY_TTL_MIN", "1")
			}
			c := newCompanion(t, append(set, "memory.strategy=hybrid")...)
			c.say("ann", "s", "My name is Alice")
			c.wait(58 * time.Second)
			if reply := c.say("ann", "s", "What's my name?"); reply != "You are Alice." {
				t.Errorf("within the minute: %q", reply)
			}
			c.wait(61 * time.Second)
			reply := c.say("ann", "s", "What's my name?")
			if sent := c.model.sent(); reply != "You are Alice." || slices.Contains(sent, chatLine{"user", "My name is Alice"}) {
				t.Errorf("after the minute: %q, sent\n%s", reply, sent)
			}
			if c.turn("ann", "s", "forget everything"); c.say("ann", "s", "What's my name?") != "You have not told me." {
				t.Errorf("forgotten, it is told:\n%s", c.model.told())
			}
			c.say("ann", "s", "My name is Berta")
			if reply := c.say("ann", "s", "What's my name?"); reply != "You are Berta." {
				t.Errorf("in the new conversation: %q", reply)
			}
			c.healthy()
		})
	}
}

// TestTwoConversations: with room for two conversations, the least recently used of three is
// forgotten, and may begin again.
func TestTwoConversations(t *testing.T) {
	c := newCompanion(t, "memory.max_conversations=2", "memory.strategy=hybrid", "memory.summary.trigger_message_count=4",
		"memory.summary.recent_message_count=2", "memory.compression.archive_conversations=true")
	names := []string{"Alice", "Berta", "Clara"}
	for _, name := range names {
		c.say("ann", name, "My name is "+name)
		for _, text := range chatter {
			c.say("ann", name, text)
		}
		c.settle() // a job uses its session, too
	}
	for i, name := range []string{"Clara", "Berta", "Alice"} {
		want := "You are " + name + "."
		if i == 2 {
			want = "You have not told me."
		}
		if reply := c.say("ann", name, "What's my name?"); reply != want {
			t.Errorf("session %s: %q, want %q, told\n%s", name, reply, want, c.model.told())
		}
	}
	c.settle()
	infos, err := c.app.Store().Sessions(t.Context(), memory.Query{})
	if err != nil || len(infos) != 2 {
		t.Errorf("%d sessions are kept: %v", len(infos), err)
	}
	c.healthy()
}

// TestWithoutMemory: a model receives the current message and nothing else.
func TestWithoutMemory(t *testing.T) {
	t.Setenv("ENABLE_MEMORY", "false")
	c := newCompanion(t, "memory.strategy=hybrid", "memory.knowledge_base.enable_cross_session_context=true")
	c.say("ann", "s", "My name is Alice")
	if reply := c.say("ann", "s", "What's my name?"); reply != "You have not told me." || c.model.told() != "" {
		t.Errorf("%q, told %q", reply, c.model.told())
	}
	c.healthy()
}

// TestSpeechless: without a model server the reply is the step's else.
func TestSpeechless(t *testing.T) {
	r := runtimetest.Open(t, runtimetest.Config{Set: []string{"memory.storage=inmem"}, Options: slotway.Options{NoHTTP: true, Agent: runtimetest.CompanionAgent(t)}})
	if reply := r.Say("", "s", "My name is Alice"); reply.Reply != "I have no words today." {
		t.Errorf("%q", reply.Reply)
	}
}

// TestGeneratedRepliesNameTheModel: a generated reply names the model. A reply that fell back to
// the step's else does not.
func TestGeneratedRepliesNameTheModel(t *testing.T) {
	c := newCompanion(t)
	if got := c.turn("ann", "s", "Photography matters most to me"); got.Model != "small" || got.Provider != "127.0.0.1" {
		t.Errorf("a generated reply names %s of %s", got.Model, got.Provider)
	}
	gone := newCompanion(t, "models.chat.base_url=http://127.0.0.1:1/v1")
	if got := gone.turn("ann", "s", "Photography matters most to me"); got.Model != "" || got.Reply != "I have no words today." {
		t.Errorf("%q names %s, without a model server", got.Reply, got.Model)
	}
}
