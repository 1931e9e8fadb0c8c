package sessions

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/router/telemetry"
)

// counting counts the rows that are read.
type counting struct {
	memory.Backend
	mu   sync.Mutex
	rows int
}

func (c *counting) Turns(ctx context.Context, key memory.Key, p memory.Page) ([]memory.Turn, error) {
	list, err := c.Backend.Turns(ctx, key, p)
	c.add(len(list))
	return list, err
}

func (c *counting) Messages(ctx context.Context, key memory.Key, p memory.Page) ([]memory.Message, error) {
	list, err := c.Backend.Messages(ctx, key, p)
	c.add(len(list))
	return list, err
}

func (c *counting) add(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rows += n
}

// since is how many rows were read since the last call.
func (c *counting) since() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.rows
	c.rows = 0
	return n
}

// speak commits one turn of a session with a param and a call.
func speak(t interface{ Fatal(...any) }, store memory.Backend, key memory.Key, id, name string) {
	ctx := context.Background()
	s, err := memory.NewConversations(store, 0).ForSession(ctx, key)
	if err != nil {
		t.Fatal(err)
	}
	s.Append(memory.Message{Role: memory.Agent, Text: "calling", Timestamp: noon, ToolCalls: []memory.ToolCall{
		{ID: id, Tool: "act", Args: json.RawMessage(fmt.Sprintf(`{"who":"handed-%s"}`, name))},
	}})
	s.SetState(memory.State{Params: map[string]any{"name": name}})
	s.RecordTurn(memory.Turn{RequestID: id, Outcome: "responded", Response: json.RawMessage(`{}`)})
	if err := s.Commit(ctx, noon); err != nil {
		t.Fatal(err)
	}
}

// A second look reads nothing, and one after another turn only that turn, however long the
// session is; both hide all that the first did and what is new.
func TestKeptReadsOnlyWhatIsNew(t *testing.T) {
	store, r := &counting{Backend: inmem.New(nil)}, redactor(t)
	k := NewMaskCache(store, nil)
	look := func() *Mask {
		m, err := k.Masks(r).Of(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	for i := range 1500 { // more than a page
		speak(t, store, key, fmt.Sprint(i), fmt.Sprintf("value-%d", i))
	}
	look()
	if n := store.since(); n != 3000 {
		t.Errorf("the first look reads %d rows, want 3000", n)
	}
	if look(); store.since() != 0 {
		t.Error("the second look reads")
	}
	speak(t, store, key, "more", "someone")
	m := look()
	if n := store.since(); n != 2 {
		t.Errorf("after one more turn %d rows are read, want 2", n)
	}
	if got, want := m.Text("value-0 value-1499 someone handed-someone Bonn"), "<name> <name> <name> <name> Bonn"; got != want {
		t.Errorf("Text = %q, want %q", got, want)
	}
}

// Whatever happens to sessions, in whatever order they are looked at, no less is hidden than
// by reading the whole session each time.
func TestKeptHidesAsMuchAsReadingAll(t *testing.T) {
	def, err := config.Parse("a.yaml", []byte(agentYAML), "")
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		ctx, store := context.Background(), inmem.New(nil)
		redactors := []*telemetry.Redactor{telemetry.NewRedactor(def), telemetry.NewRedactor(def)}
		k := NewMaskCache(store, &MaskCacheLimits{Sessions: 2})
		var text strings.Builder
		for i := range rapid.IntRange(1, 40).Draw(t, "steps") {
			at := key
			at.SessionID = rapid.SampledFrom([]string{"s", "s2", "s3"}).Draw(t, "session")
			r := rapid.SampledFrom(redactors).Draw(t, "redactor")
			switch rapid.SampledFrom([]string{"speak", "speak", "delete", "undo", "clear", "look"}).Draw(t, "what") {
			case "speak":
				name := fmt.Sprintf("value-%d", i)
				text.WriteString(name + " handed-" + name + " ")
				speak(t, store, at, fmt.Sprint(i), name)
			case "delete":
				_ = store.Delete(ctx, at) // or it is not there
			case "undo":
				_, _ = Undo(ctx, store, at, noon)
			case "clear":
				_, _ = Clear(ctx, store, at, noon)
			}
			got, err := k.Masks(r).Of(ctx, at)
			if err != nil {
				t.Fatal(err)
			}
			whole, err := NewMasks(store, r).Of(ctx, at)
			if err != nil {
				t.Fatal(err)
			}
			if g, w := got.Text(whole.Text(text.String())), whole.Text(text.String()); w != got.Text(text.String()) && g != got.Text(text.String()) {
				t.Fatalf("kept: %s\nwhole: %s", got.Text(text.String()), w)
			}
			if n := k.items.Len(); n > 2 {
				t.Fatalf("%d sessions are kept", n)
			}
		}
	})
}

// The bytes of what is kept are bounded: one session that is too heavy is not kept, and light
// ones make room.
func TestKeptIsBounded(t *testing.T) {
	store, r := inmem.New(nil), redactor(t)
	k := NewMaskCache(store, &MaskCacheLimits{Bytes: 32768})
	for i := range 20 {
		at := key
		at.SessionID = fmt.Sprint("s", i)
		for n := range i {
			speak(t, store, at, fmt.Sprint(n), fmt.Sprintf("value-%d", n))
		}
		if _, err := k.Masks(r).Of(t.Context(), at); err != nil {
			t.Fatal(err)
		}
		if bytes := k.items.Weight(); bytes > 32768 {
			t.Fatalf("%d bytes are kept", bytes)
		}
	}
	if k.items.Len() == 0 {
		t.Error("nothing is kept: this shows nothing")
	}
	for _, key := range k.items.Keys() {
		k.Forget(key)
	}
	if bytes := k.items.Weight(); bytes != 0 || k.items.Len() != 0 {
		t.Errorf("%d bytes in %d sessions are left", bytes, k.items.Len())
	}
}

// The values of the past are known, what has come since, and those of a session that was
// begun anew under the id of another.
func TestValuesOfTheWholePast(t *testing.T) {
	store, r := inmem.New(nil), redactor(t)
	k := NewMaskCache(store, nil)
	expect := func(want ...string) {
		t.Helper()
		values, err := k.Values(t.Context(), r, key)
		if err != nil {
			t.Fatal(err)
		}
		masked := r.Masker(values)
		for _, v := range want {
			if masked.Text(v) == v {
				t.Errorf("%q is not known, of %v", v, values)
			}
		}
	}
	expect()
	speak(t, store, key, "1", "value-1")
	speak(t, store, key, "2", "value-2")
	expect("value-1", "value-2", "handed-value-1")
	speak(t, store, key, "3", "value-3")
	expect("value-1", "value-2", "value-3", "handed-value-3")
	if err := store.Delete(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	expect("value-1", "value-3") // a text of it may be under way
	speak(t, store, key, "1", "value-4")
	expect("value-4", "handed-value-4")
}
