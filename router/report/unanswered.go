package report

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router/review"
	"github.com/slotway/slotway/router/sessions"
	"github.com/slotway/slotway/router/telemetry"
)

const (
	mostItems = 3000 // messages that are compared with each other, the latest sessions' first
	mostRunes = 200  // of a text that is shown
)

// judge notes a message that was not understood: no task was recognised in it, or the agent asked its
// open question again because the answer was none.
func (s *session) judge(before, p *point) {
	u := unanswered{turn: p.number, at: p.at, reason: string(review.Fallback)}
	if p.reply.Intent != "" && p.reply.Intent != s.of.agent.Classifier.Fallback {
		q, old := p.Question, before.Question
		if q == nil || old == nil || q.Kind != old.Kind || q.Param != old.Param || q.Step != old.Step || q.Attempts <= old.Attempts {
			return
		}
		u.reason = string(review.Unanswered)
	}
	if q := before.Question; q != nil {
		u.asked = q.Param
	}
	s.unanswered = append(s.unanswered, u)
}

// texts keeps messages that were not understood, redacted.
type texts struct {
	store    Store
	redactor *telemetry.Redactor // hides every param
	agent    *config.Agent
	reader   *review.Reader
	embedder review.Embedder
	items    []review.Item
}

func newTexts(store Store, agent *config.Agent, reading Reading) *texts {
	hidden := redacted(agent)
	return &texts{store: store, agent: agent, redactor: telemetry.NewRedactor(hidden), reader: review.NewReader(hidden, reading.Classifier), embedder: reading.Embedder}
}

// redacted returns the agent as it would be if it redacted every param and every pattern.
func redacted(agent *config.Agent) *config.Agent {
	hidden := *agent
	hidden.Redaction.Params = slices.Sorted(maps.Keys(agent.Params))
	hidden.Redaction.Patterns = config.RedactionPatterns
	return &hidden
}

// take reads the texts of a session's messages. A text whose values cannot be known is left out.
func (x *texts) take(ctx context.Context, key memory.Key, list []unanswered) error {
	if x == nil || len(list) == 0 || len(x.items) >= mostItems {
		return nil
	}
	mask, err := sessions.NewMasks(x.store, x.redactor).Of(ctx, key)
	if err != nil {
		return err
	}
	said := map[int64]string{}
	if err := review.EachSaid(ctx, x.store, key, mask, func(turn int64, text string) { said[turn] = text }); err != nil {
		return err
	}
	var items []review.Item
	for i := range list {
		u := &list[i]
		item := review.Item{Key: key, Turn: u.turn, At: u.at, Reasons: []review.Reason{review.Reason(u.reason)}}
		if said[u.turn] != "" {
			if item.Reading, err = x.reader.Read(ctx, said[u.turn], u.at); err != nil {
				return err
			}
			item.Text = shorten(item.Text)
		}
		if slices.Contains(x.agent.Redaction.Params, u.asked) {
			item.Text = x.withhold(u.asked, item.Text)
		}
		if item.Text != "" {
			items = append(items, item)
		}
	}
	x.items = append(x.items, items[:min(len(items), mostItems-len(x.items))]...)
	return nil
}

// withhold hides what may be a value in a text that was no answer to the question for a redacted param:
// a mistyped number is as secret as the right one. Where any text can be a value nothing is shown.
func (x *texts) withhold(param, text string) string {
	mark := "{" + param + "}"
	if p := x.agent.Params[param]; p == nil || p.Type == nil || p.Type.Builtin == "text" {
		return mark
	}
	words := strings.Fields(text)
	for i, w := range words {
		if strings.ContainsFunc(w, unicode.IsNumber) || strings.Contains(w, "@") {
			words[i] = mark
		}
	}
	return strings.Join(words, " ")
}

func shorten(text string) string {
	if utf8.RuneCountInString(text) <= mostRunes {
		return text
	}
	return string([]rune(text)[:mostRunes]) + "…"
}

// groups returns the largest groups of alike messages, and whether some of all messages are in none of
// them.
func (x *texts) groups(most, all int) ([]Group, bool) {
	out := []Group{}
	if x == nil {
		return out, all > 0
	}
	slices.SortStableFunc(x.items, func(a, b review.Item) int { return b.At.Compare(a.At) })
	listed := 0
	for _, g := range review.Group(x.items, x.embedder) {
		if len(out) == most {
			break
		}
		listed += g.Size
		out = append(out, groupOf(&g))
	}
	return out, listed < all
}

func groupOf(g *review.Alike) Group {
	out := Group{ID: g.ID, Size: g.Size, Sessions: g.Sessions, Last: g.Last.UTC().Truncate(time.Second), Reasons: map[string]int{}, Texts: []Text{}}
	for reason, n := range g.Reasons {
		out.Reasons[string(reason)] = n
	}
	for _, t := range g.Texts[:min(len(g.Texts), MostTexts)] {
		out.Texts = append(out.Texts, Text{t.Text, t.Count})
	}
	return out
}
