package review

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router/sessions"
)

// Reason says why a turn is worth a look.
type Reason string

// The reasons, the strongest first.
const (
	Corrected  Reason = "corrected"  // the next message takes it back: "no, I meant ..."
	Undone     Reason = "undone"     // the turn was undone
	Fallback   Reason = "fallback"   // nothing was understood
	Clarified  Reason = "clarified"  // the agent asked "A or B?"
	Unsure     Reason = "unsure"     // the confidence was below the threshold
	Unanswered Reason = "unanswered" // the agent asked its question again
)

// Item is a message that may become an example.
type Item struct {
	Key     memory.Key
	Turn    int64
	At      time.Time
	Reasons []Reason
	WentOn  string // intent of the next turn, where that shows what was meant; "": unknown
	Reading
}

// Query selects turns.
type Query struct {
	AgentID  string
	UserID   string   // "": of every user
	Sessions []string // ids; none: all
	Most     int      // sessions that are read, the latest first; default 500
}

// Store is the part of a backend that Collect reads.
type Store interface {
	memory.Reader
	memory.Admin
}

const (
	maxItems = 3000
	maxRunes = 200 // of a message: a longer one is no example
)

// Found is the result of Collect.
type Found struct {
	Items    []Item // the newest first
	Sessions int    // that were read
	Damaged  int    // that could not be read
	More     bool   // there are more sessions, or items
}

// Collect reads the sessions of a store. progress is called after each session; nil: nobody looks.
func Collect(ctx context.Context, store Store, q Query, r *Reader, progress func(done, total int)) (*Found, error) {
	if q.Most <= 0 {
		q.Most = 500
	}
	infos, more, err := list(ctx, store, q)
	if err != nil {
		return nil, err
	}
	out := &Found{More: more}
	masks := sessions.NewMasks(store, r.redactor)
	for i := range infos {
		items, err := r.session(ctx, store, infos[i].Key, masks)
		switch {
		case errors.Is(err, memory.ErrCorrupt):
			out.Damaged++
		case errors.Is(err, memory.ErrNotFound): // erased meanwhile
		case err != nil:
			return nil, fmt.Errorf("review session %q: %w", infos[i].Key.SessionID, err)
		default:
			out.Sessions++
			out.Items = append(out.Items, items...)
		}
		if progress != nil {
			progress(i+1, len(infos))
		}
		if len(out.Items) >= maxItems {
			out.More = out.More || i+1 < len(infos)
			break
		}
	}
	slices.SortStableFunc(out.Items, func(a, b Item) int { return b.At.Compare(a.At) })
	return out, nil
}

// list returns the sessions of a query.
func list(ctx context.Context, store Store, q Query) (infos []memory.Info, more bool, err error) {
	if len(q.Sessions) == 0 {
		return Latest(ctx, store, memory.Query{UserID: q.UserID, AgentID: q.AgentID}, time.Time{}, q.Most)
	}
	for _, id := range q.Sessions {
		found, _, err := Latest(ctx, store, memory.Query{UserID: q.UserID, AgentID: q.AgentID, SessionID: id}, time.Time{}, q.Most)
		if err != nil {
			return nil, false, err
		}
		if len(found) == 0 {
			return nil, false, fmt.Errorf("session %q: %w", id, memory.ErrNotFound)
		}
		infos = append(infos, found...)
	}
	return infos, false, nil
}

// Latest returns the sessions that a query selects and that were used at or after a moment, the latest
// first: at most the given number, and whether there are more.
func Latest(ctx context.Context, store memory.Lister, q memory.Query, since time.Time, most int) (infos []memory.Info, more bool, err error) {
	err = memory.Walk(ctx, store, q, func(i *memory.Info) error {
		if !i.UpdatedAt.Before(since) && !memory.Reserved(i.Key.UserID) {
			infos = append(infos, memory.Info{Key: i.Key, Turns: i.Turns, UpdatedAt: i.UpdatedAt})
		}
		return nil
	})
	slices.SortStableFunc(infos, func(a, b memory.Info) int { return b.UpdatedAt.Compare(a.UpdatedAt) })
	return infos[:min(len(infos), most)], len(infos) > most, err
}

// session returns the items of one session.
func (r *Reader) session(ctx context.Context, store memory.Reader, key memory.Key, masks *sessions.Masks) ([]Item, error) {
	turns, err := readTurns(ctx, store, key)
	if err != nil || len(turns) == 0 {
		return nil, err
	}
	mask, err := masks.Of(ctx, key)
	if err != nil {
		return nil, err
	}
	if err := readMessages(ctx, store, key, turns, mask); err != nil {
		return nil, err
	}
	var items []Item
	for i := range turns {
		item, ok, err := r.item(ctx, turns, i)
		if err != nil {
			return nil, err
		}
		if ok {
			item.Key = key
			items = append(items, item)
		}
	}
	return items, nil
}

// item judges one turn.
func (r *Reader) item(ctx context.Context, turns []turn, i int) (Item, bool, error) {
	t := &turns[i]
	if !labelled(t.said) {
		return Item{}, false, nil
	}
	item := Item{Turn: t.number, At: t.at, Reasons: r.reasons(turns, i)}
	next := after(turns, i)
	if next != nil {
		takes, err := r.takesBack(ctx, t, next)
		if err != nil {
			return item, false, err
		}
		if takes {
			item.Reasons = append([]Reason{Corrected}, item.Reasons...)
		}
	}
	if len(item.Reasons) == 0 {
		return item, false, nil
	}
	if next != nil && r.isTask(next.intent) && next.confidence >= r.agent.Classifier.Threshold {
		item.WentOn = next.intent
	}
	var err error
	item.Reading, err = r.Read(ctx, t.said, t.at)
	if err != nil {
		return item, false, err
	}
	return item, labelled(marks.ReplaceAllString(item.Text, "")) && !r.known(&item.Reading) && !r.settled(&item), nil
}

// marks are values in the text of a reading. A message of values alone answers whatever was asked: as
// an example it would draw every such answer to its intent.
var marks = regexp.MustCompile(`\{[^{}]*\}`)

// labelled reports whether a message can be an example: it has a word, and is not long.
func labelled(text string) bool {
	letters := 0
	for _, r := range text {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	return letters >= 2 && utf8.RuneCountInString(text) <= maxRunes
}

// settled reports whether the agent understands by now what it did not then.
func (r *Reader) settled(item *Item) bool {
	if slices.Contains(item.Reasons, Corrected) || slices.Contains(item.Reasons, Undone) || len(item.Ranking) == 0 {
		return false
	}
	best := item.Ranking[0]
	if best.Intent == r.agent.Classifier.Fallback || best.Confidence < r.agent.Classifier.Threshold {
		return false
	}
	return len(item.Ranking) < 2 || best.Confidence-item.Ranking[1].Confidence >= r.agent.Classifier.Ambiguity
}
