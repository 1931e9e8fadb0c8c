package summary

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/internal/modelcall"
)

// scripted answers as it is told.
type scripted func(ctx context.Context, user string) (string, error)

func (s scripted) Complete(ctx context.Context, _, user string, schema json.RawMessage) (string, error) {
	if !json.Valid(schema) {
		return "", errors.New("the schema is not JSON")
	}
	return s(ctx, user)
}

var small = Options{Trigger: 4, Recent: 2, BlockSize: 2}

func TestModel(t *testing.T) {
	k := newTalk(t)
	o := small
	o.Model = scripted(func(_ context.Context, user string) (string, error) {
		if !strings.Contains(user, "blanket") {
			return `{"narrative":"","facts":[]}`, nil
		}
		return `{"narrative":"The user bought a wool blanket for their aunt. It cost 45 euros. It cost 99 euros.",
			"facts":[{"key":"Gift","value":"wool  BLANKET","category":"entity"},{"key":"price","value":"99 euros","category":"NUMERIC"},
			{"key":"name","value":"Ada","category":"ENTITY"},{"key":"","value":"aunt","category":"GENERAL"},{"key":"odd","value":"aunt","category":"PERSON"},
			{"key":"part","value":"lanke","category":"GENERAL"},{"key":"order_id","value":"45","category":"GENERAL"}]}`, nil
	})
	tier := New(k.store, &o)
	k.turn(map[string]any{"order_id": "O-9"}, "user: My name is Bea. I bought a wool blanket for 45 euros, for my aunt Ada.", "agent: Good choice.")
	k.chatter(4)
	k.work(tier)
	got, err := tier.Read(context.Background(), key)
	if err != nil {
		t.Fatal(err)
	}
	var facts []string
	for _, f := range got.Facts {
		facts = append(facts, f.Key+"="+f.Value+" "+string(f.Category)+" "+string(f.Origin))
	}
	want := []string{"order_id=O-9 ENTITY slot", "name=Bea ENTITY user", "amount=45 euros NUMERIC rule", "gift=wool BLANKET ENTITY llm", "odd=aunt GENERAL llm"}
	if diff := cmp.Diff(want, facts); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	if !strings.HasPrefix(got.Narrative, "[2026-03-02] The user bought a wool blanket for their aunt.\nIt cost 45 euros.\nuser: We watched") {
		t.Errorf("the narrative:\n%s", got.Narrative)
	}
}

// Whatever a model answers, the block tells itself and the job is done.
func TestHostileModel(t *testing.T) {
	k := newTalk(t)
	k.chatter(20)
	plain := New(k.store, &small)
	k.work(plain)
	want := k.views("")
	long, err := json.Marshal(map[string]any{"narrative": strings.Repeat("We watched a film. ", 2000), "facts": nil})
	if err != nil {
		t.Fatal(err)
	}
	for name, reply := range map[string]string{
		"nothing": "", "no JSON": "I cannot do that", "half": `{"narrative":"x`, "null": "null", "list": "[1]", "other types": `{"narrative":[1],"facts":7}`,
		"a megabyte": strings.Repeat("x", 1<<20), "too much": string(long), "made up": `{"narrative":"They paid 77123 dollars.","facts":[{"key":"price","value":"77123","category":"NUMERIC"}]}`,
		"empty": `{"narrative":"  ","facts":[{"key":"a","value":" ","category":""},{"key":"b","value":"...","category":""}]}`,
	} {
		o := small
		o.Model = scripted(func(context.Context, string) (string, error) { return reply, nil })
		if err := plain.Drop(context.Background(), key); err != nil {
			t.Fatal(err)
		}
		k.work(New(k.store, &o))
		if diff := cmp.Diff(want, k.views("")); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

// A model that stays away does not stop the summary for good: only the newest messages wait for it, and
// no turn has to read more.
func TestAModelThatStaysAway(t *testing.T) {
	k := newTalk(t)
	k.turn(nil, "user: My name is Alice Moreau.", "agent: Hello!")
	k.chatter(200)
	o := small
	away := true
	o.Model = scripted(func(context.Context, string) (string, error) {
		if away {
			return "", errors.New("connection refused")
		}
		return `{"narrative":"They watched films.","facts":[],"ended":[]}`, nil
	})
	tier := New(k.store, &o)
	last := func() (model bool, upTo int64) {
		for _, v := range k.views("block/") {
			var b block
			if err := json.Unmarshal(v.Data, &b); err != nil {
				t.Fatal(err)
			}
			model, upTo = b.Model, b.UpTo
		}
		return model, upTo
	}
	for range 3 {
		err := tier.Work(t.Context(), memory.Job{Key: key})
		model, upTo := last()
		if waiting := k.request(0).NextSeq - upTo; !errors.Is(err, modelcall.ErrModel) || model || waiting <= maxWaiting || waiting > maxWaiting+100 {
			t.Errorf("%v, by the model: %v, %d messages wait", err, model, waiting)
		}
	}
	if c := k.context(tier, 4096); len(c.Facts) == 0 || c.Facts[0].Value != "Alice Moreau" {
		t.Errorf("facts %+v", c.Facts)
	}
	away = false
	k.work(tier)
	if model, upTo := last(); !model || k.request(0).NextSeq-upTo > 100 {
		t.Errorf("it is back: by the model: %v, up to %d of %d", model, upTo, k.request(0).NextSeq)
	}
}

// A model that hangs costs its time limit. The job fails with a cause, and writes nothing that would
// stay without the model: when that is back, the blocks are the model's.
func TestModelHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newTalk(t)
		k.chatter(20)
		calls, hangs := 0, true
		o := small
		o.Model = scripted(func(ctx context.Context, _ string) (string, error) {
			if calls++; hangs {
				<-ctx.Done()
				return "", ctx.Err()
			}
			return `{"narrative":"They watched films.","facts":[],"ended":[]}`, nil
		})
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		tier := New(k.store, &o)
		err := tier.Work(ctx, memory.Job{Key: key})
		var coded interface{ Code() string }
		if !errors.As(err, &coded) || coded.Code() != "model" || calls != 1 || len(k.views("")) != 0 {
			t.Errorf("%v after %d calls, %d views", err, calls, len(k.views("")))
		}
		if list := k.uncovered(tier, 4096); list != nil {
			t.Errorf("without the model, uncovered %v", list)
		}
		hangs = false
		k.work(tier)
		for _, v := range k.views("block/") {
			if !strings.Contains(string(v.Data), "They watched films.") {
				t.Errorf("block %s is not the model's: %s", v.ID, v.Data)
			}
		}
	})
}

// A job that is stopped during a call writes nothing for that block: the next start asks
// again.
func TestStoppedDuringACall(t *testing.T) {
	k := newTalk(t)
	k.chatter(20)
	ctx, cancel := context.WithCancel(context.Background())
	o := small
	o.Model = scripted(func(ctx context.Context, _ string) (string, error) {
		cancel()
		return "", ctx.Err()
	})
	if err := New(k.store, &o).Work(ctx, memory.Job{Key: key}); !errors.Is(err, context.Canceled) {
		t.Errorf("Work: %v", err)
	}
	if list := k.views(""); len(list) != 0 {
		t.Errorf("%d views were written", len(list))
	}
}

func hidingBea(context.Context, memory.Key) (hide, restore func(string) string, err error) {
	return strings.NewReplacer("bea@ex.example", "<email:1>").Replace, strings.NewReplacer("<email:1>", "bea@ex.example").Replace, nil
}

// What must not leave the house is replaced before the call and put back in its answer.
func TestModelSeesNoSecret(t *testing.T) {
	k := newTalk(t)
	o := small
	o.Sensitive = func(p string) bool { return p == "email" }
	o.Pseudonyms = hidingBea
	o.Model = scripted(func(_ context.Context, user string) (string, error) {
		if strings.Contains(user, "bea@") {
			t.Error("the model sees the address")
		}
		if !strings.Contains(user, "<email:1>") {
			return "", errors.New("nothing to say")
		}
		return `{"narrative":"The user gave <email:1>.","facts":[{"key":"contact","value":"<email:1>","category":"ENTITY"}]}`, nil
	})
	k.turn(map[string]any{"email": "bea@ex.example"}, "user: write to bea@ex.example please", "agent: ok")
	for range 5 {
		k.turn(map[string]any{"email": "bea@ex.example"}, "user: hello again", "agent: hi")
	}
	tier := New(k.store, &o)
	k.work(tier)
	got, err := tier.Read(context.Background(), key)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(got.Narrative, "gave bea@ex.example") || len(got.Facts) != 2 || !got.Facts[0].Sensitive || !got.Facts[1].Sensitive {
		t.Errorf("%+v", got)
	}
}

// A model is shown what is known, hidden as everything else is, and may replace or end what a
// model found; what the state, the person or a rule knows stays.
func TestModelKnowsTheFacts(t *testing.T) {
	k := newTalk(t)
	o := small
	o.Sensitive = func(p string) bool { return p == "email" }
	o.Pseudonyms = hidingBea
	var asked []string
	o.Model = scripted(func(_ context.Context, user string) (string, error) {
		asked = append(asked, user)
		switch {
		case strings.Contains(user, "Wednesday"):
			return `{"narrative":"They meet on Wednesday.","facts":[{"key":"meeting","value":"Wednesday","category":"GENERAL"},
				{"key":"name","value":"Wednesday","category":"ENTITY"}],"ended":["seat","name","email","amount"]}`, nil
		case strings.Contains(user, "Tuesday"):
			return `{"narrative":"They meet on Tuesday.","facts":[{"key":"meeting","value":"Tuesday","category":"GENERAL"},
				{"key":"seat","value":"window","category":"GENERAL"}],"ended":[]}`, nil
		}
		return `{"narrative":"","facts":[],"ended":[]}`, nil
	})
	tier := New(k.store, &o)
	params := map[string]any{"email": "bea@ex.example"}
	k.turn(params, "user: My name is Bea, it was $40. We meet on Tuesday, a window seat please.", "agent: Ok, bea@ex.example.")
	k.turn(params, "user: Rather on Wednesday, any seat will do.", "agent: Ok.")
	k.turn(params, "user: Fine.", "agent: Ok.")
	k.turn(params, "user: Bye.", "agent: Bye.")
	k.work(tier)
	got, err := tier.Read(context.Background(), key)
	if err != nil {
		t.Fatal(err)
	}
	var facts []string
	for _, f := range got.Facts {
		line := f.Key + "=" + f.Value
		if !open(&f) {
			line += " ended"
		}
		facts = append(facts, line)
	}
	want := []string{"email=bea@ex.example", "name=Bea", "amount=$40", "meeting=Tuesday ended", "seat=window ended", "meeting=Wednesday"}
	if diff := cmp.Diff(want, facts); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	if len(asked) < 2 || !strings.HasPrefix(asked[1], "Known facts:\n") {
		t.Fatalf("the model was asked %q", asked)
	}
	for _, line := range []string{"\n- seat: window\n", "\n- email: <email:1>\n", "\n- name: Bea\n", "\nConversation:\nuser: Rather on Wednesday"} {
		if !strings.Contains(asked[1], line) {
			t.Errorf("%q is not in\n%s", line, asked[1])
		}
	}
	if strings.Contains(strings.Join(asked, ""), "bea@") {
		t.Error("the model sees the address")
	}
}

// What is known takes no more room than the block leaves, and a secret that cannot be hidden is
// not told.
func TestKnownFactsAreBounded(t *testing.T) {
	w := &work{Tier: New(newTalk(t).store, nil), rollup: &rollup{}}
	for i := range 2 * maxKnown {
		w.rollup.Facts = append(w.rollup.Facts, memory.Fact{Key: fmt.Sprintf("key%d", i), Value: "value", Origin: memory.FromRule})
	}
	w.rollup.Facts[2*maxKnown-1].Sensitive = true
	text := w.known(strings.ToLower, 1<<20)
	if strings.Count(text, "\n- ") != maxKnown || !strings.Contains(text, "key78") || strings.Contains(text, "key79") {
		t.Errorf("known:\n%s", text)
	}
	for _, room := range []int{-1, 0, 30, 200} {
		if text := w.known(strings.ToLower, room); len(text) > max(room, 0) {
			t.Errorf("%d bytes in a room of %d", len(text), room)
		}
	}
}
