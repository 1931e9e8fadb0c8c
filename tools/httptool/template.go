package httptool

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// urlTemplate is a URL with {name} placeholders.
type urlTemplate struct {
	parts []urlPart
	host  string // without its port; always literal
}

type urlPart struct {
	literal string
	name    string // "": literal
	query   bool   // after the question mark
}

var errOutsidePath = errors.New("url: a {placeholder} is allowed in the path and the query only")

// parseURL reads a template. Scheme and host must be literal, or an argument could send
// the request, and its credentials, elsewhere.
func parseURL(source string) (*urlTemplate, error) {
	t := &urlTemplate{}
	query := false
	for rest := source; rest != ""; {
		literal, after, found := strings.Cut(rest, "{")
		query = query || strings.Contains(literal, "?")
		t.parts = append(t.parts, urlPart{literal: literal})
		if !found {
			break
		}
		name, tail, closed := strings.Cut(after, "}")
		if !closed || name == "" {
			return nil, errors.New("url: a { without a name}")
		}
		t.parts = append(t.parts, urlPart{name: name, query: query})
		rest = tail
	}
	return t, t.check()
}

func (t *urlTemplate) check() error {
	head := t.parts[:0:0]
	if len(t.parts) > 0 {
		head = t.parts[:1]
	}
	if len(head) == 0 {
		return errors.New("url: empty")
	}
	// url.Parse quotes what it cannot read, which may hold an expanded secret.
	first, err := url.Parse(head[0].literal)
	if err != nil {
		return errors.New("url: cannot be read")
	}
	if first.Scheme != "http" && first.Scheme != "https" {
		return errors.New("url: only http and https")
	}
	if first.Host == "" {
		return errors.New("url: no host")
	}
	t.host = first.Hostname()
	_, afterScheme, _ := strings.Cut(head[0].literal, "://")
	if len(t.parts) > 1 && !strings.ContainsAny(afterScheme, "/?") {
		return errOutsidePath
	}
	return nil
}

// argumentError is a call's fault: it names the argument.
type argumentError struct{ name, what string }

func (e *argumentError) Error() string { return fmt.Sprintf("argument %s %s", e.name, e.what) }

// fill puts the arguments in. A segment that would be empty, "." or ".." is refused: a
// server would read another path than the one that was declared.
func (t *urlTemplate) fill(args map[string]any) (*url.URL, error) {
	var b strings.Builder
	for _, p := range t.parts {
		if p.name == "" {
			b.WriteString(p.literal)
			continue
		}
		text, ok := scalar(args[p.name])
		switch {
		case args[p.name] == nil:
			return nil, &argumentError{p.name, "is missing"}
		case !ok:
			return nil, &argumentError{p.name, "must be a text, a number or a boolean"}
		case p.query:
			b.WriteString(url.QueryEscape(text))
		case text == "" || text == "." || text == "..":
			return nil, &argumentError{p.name, "cannot be part of a path"}
		default:
			b.WriteString(url.PathEscape(text))
		}
	}
	u, err := url.Parse(b.String())
	if err != nil {
		return nil, errors.New("the URL cannot be read")
	}
	return u, nil
}

// scalar is the text of a value in a URL; ok is false for lists, objects and nil.
func scalar(v any) (text string, ok bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), true
	case bool:
		return strconv.FormatBool(v), true
	}
	return "", false
}
