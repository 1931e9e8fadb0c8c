package httpapi

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/slotway/slotway/config/naming"
	"github.com/slotway/slotway/config/printable"
	"github.com/slotway/slotway/router/httpapi/access"
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
