package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/slotway/slotway/config/naming"
	"github.com/slotway/slotway/config/printable"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router/httpapi/access"
	"github.com/slotway/slotway/router/sessions"
)

// query reads a URL's query strictly: parameters that are unknown, repeated or out of range are
// refused by name. It keeps the first problem, which never quotes a value.
type query struct {
	values url.Values
	err    error
}

// readQuery reads the query of a request that may have the parameters in known, and reveal.
func readQuery(r *http.Request, known ...string) *query {
	values, err := url.ParseQuery(r.URL.RawQuery)
	q := &query{values: values}
	if err != nil {
		q.err = BadRequest("bad_query", "The query cannot be read.")
		return q
	}
	for name, given := range values {
		switch {
		case !slices.Contains(known, name) && name != "reveal":
			q.refuse(name, "is not known here")
		case len(given) > 1:
			q.refuse(name, "is given twice")
		case !utf8.ValidString(given[0]):
			q.refuse(name, "is not UTF-8")
		}
	}
	return q
}

func (q *query) refuse(name, why string) {
	if q.err == nil {
		if !utf8.ValidString(name) {
			name = "?"
		}
		q.err = BadRequest("bad_query", "The query parameter %s %s.", quotedName(name), why)
	}
}

// text returns a parameter of at most max code points; "" if it is missing.
func (q *query) text(name string, max int) string {
	v := q.values.Get(name)
	if utf8.RuneCountInString(v) > max {
		q.refuse(name, fmt.Sprintf("is longer than %d characters", max))
		return ""
	}
	return v
}

// id returns a parameter that is an id; "" if it is missing.
func (q *query) id(name string) string {
	v := q.values.Get(name)
	if err := printable.CheckID(v); v != "" && err != nil {
		q.refuse(name, "is no id: "+err.Error())
		return ""
	}
	return v
}

// number returns a whole number from least to most; usual if it is missing.
func (q *query) number(name string, usual, least, most int64) int64 {
	if !q.values.Has(name) {
		return usual
	}
	n, err := strconv.ParseInt(q.values.Get(name), 10, 64)
	if err != nil || n < least || n > most {
		q.refuse(name, fmt.Sprintf("must be a whole number from %d to %d", least, most))
		return usual
	}
	return n
}

// flag returns true or false; false if it is missing.
func (q *query) flag(name string) bool {
	switch v := q.values.Get(name); {
	case v == "true":
		return true
	case v != "false" && q.values.Has(name):
		q.refuse(name, "must be true or false")
	}
	return false
}

// word returns one of some words; "" if it is missing.
func (q *query) word(name string, words ...string) string {
	v := q.values.Get(name)
	if q.values.Has(name) && !slices.Contains(words, v) {
		q.refuse(name, "must be "+naming.JoinOr(words))
		return ""
	}
	return v
}

// NoQuery refuses a request with a query.
func NoQuery(r *http.Request) error {
	if r.URL.RawQuery != "" {
		return BadRequest("bad_query", "This path has no query parameters.")
	}
	return nil
}

// reveal returns whether to show redacted values, which needs the scope admin.
func (q *query) reveal(r *http.Request) bool {
	shown := q.flag("reveal")
	if shown && q.err == nil && !access.From(r.Context()).Has(access.Admin) {
		q.err = access.ErrForbidden
	}
	return shown
}

// filterParams are the query parameters that select messages.
var filterParams = []string{"role", "tag", "min_importance", "from", "to"}

// filter reads filterParams.
func (q *query) filter() memory.Filter {
	f := memory.Filter{MinImportance: int(q.number("min_importance", 0, 0, memory.MaxImportance)), Since: q.time("from"), Until: q.time("to")}
	if role := memory.Role(q.values.Get("role")); role != "" {
		if !slices.Contains([]memory.Role{memory.User, memory.Agent, memory.Tool, memory.System}, role) {
			q.refuse("role", "must be user, agent, tool or system")
		}
		f.Roles = []memory.Role{role}
	}
	if tag := q.values.Get("tag"); tag != "" {
		tags, err := memory.CheckTags([]string{tag})
		if err != nil {
			q.refuse("tag", "is no tag")
		}
		f.Tags = tags
	}
	if !f.Until.IsZero() && f.Until.Before(f.Since) {
		q.refuse("to", "is before from")
	}
	return f
}

// momentForm describes the form of a moment.
const momentForm = "a day as in 2006-01-02 or a time as in 2006-01-02T15:04:05Z"

// momentField takes a moment.
func momentField(at *time.Time) Field {
	return Field{momentForm, func(raw []byte) error {
		var text string
		err := json.Unmarshal(raw, &text)
		if err == nil {
			*at, err = memory.ParseMoment(text)
		}
		return err
	}}
}

// time returns a moment; zero if it is missing.
func (q *query) time(name string) time.Time {
	v := q.values.Get(name)
	if v == "" {
		return time.Time{}
	}
	at, err := memory.ParseMoment(v)
	if err != nil {
		q.refuse(name, "must be "+momentForm)
	}
	return at
}

// filtered reads the messages that pass a filter. A tag that is masked for the caller matches nothing:
// a hit would confirm a guessed value.
func (a *API) filtered(f memory.Filter, masks *sessions.Masks) func(context.Context, memory.Key, memory.Page) ([]memory.Message, error) {
	if f.Any() {
		return a.opts.Memory.Store.Messages
	}
	return func(ctx context.Context, key memory.Key, page memory.Page) ([]memory.Message, error) {
		mask, err := masks.Of(ctx, key)
		if err != nil || slices.ContainsFunc(f.Tags, func(tag string) bool { return mask.Text(tag) != tag }) {
			return nil, err
		}
		return f.Of(ctx, a.opts.Memory.Store.Messages, key, page)
	}
}

// shownTags keeps the messages whose tags the caller may see.
func shownTags(found []memory.Recalled, tags []string) []memory.Recalled {
	return slices.DeleteFunc(found, func(r memory.Recalled) bool { return !r.Message.HasTags(tags) })
}

// tagsField takes the tags of a message; importanceField its importance.
func tagsField(at *[]string) Field {
	return Field{"a list of tags: 1 to 64 characters each, no comma", func(raw []byte) (err error) {
		var tags []string
		if err = ValueField("", &tags).Take(raw); err == nil {
			*at, err = memory.CheckTags(tags)
		}
		return err
	}}
}

func importanceField(at *int) Field {
	return Field{"a whole number from 0 to 3", func(raw []byte) error {
		if err := ValueField("", at).Take(raw); err != nil {
			return err
		}
		if *at < 0 || *at > memory.MaxImportance {
			return memory.ErrBadTags
		}
		return nil
	}}
}

// maxExactInteger is the largest integer up to which every one has its own float64.
const maxExactInteger = 1 << 53

// ParseInteger reads an integer as JSON Schema defines it: 3.0 and 3e0 are integers, too, and programs
// that only know floats write them so.
func ParseInteger(raw []byte) (int64, error) {
	var n int64
	if json.Unmarshal(raw, &n) == nil {
		return n, nil
	}
	var f float64
	if err := json.Unmarshal(raw, &f); err != nil {
		return 0, err
	}
	if f != math.Trunc(f) || math.Abs(f) > maxExactInteger {
		return 0, errors.New("no whole number")
	}
	return int64(f), nil
}

// IntegerField takes an integer into at, which is nil if it is missing.
func IntegerField(at **int64) Field {
	return Field{"a whole number", func(raw []byte) error {
		n, err := ParseInteger(raw)
		*at = &n
		return err
	}}
}
