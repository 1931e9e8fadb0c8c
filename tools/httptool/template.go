package httptool

import (
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/slotway/slotway/config/expr"
)

// urlTemplate is a URL with {name} or {name.field.0} placeholders.
type urlTemplate struct {
	parts []urlPart
	host  string // without its port; always literal

	climbs bool // the declaration itself has a segment "." or ".."
}

type urlPart struct {
	expr.TemplatePart
	query bool // after the question mark
}

var errOutsidePath = errors.New("url: a {placeholder} is allowed in the path and the query only")

// parseURL parses a template. Scheme and host must be literal, or an argument could send the
// request, with its credentials, elsewhere.
func parseURL(source string) (*urlTemplate, error) {
	t := &urlTemplate{}
	query := false
	if source != "" {
		for _, part := range expr.ParseTemplate(source).Parts {
			if strings.ContainsAny(part.Literal, "{}") || part.JSON {
				return nil, errors.New("url: a brace that is not of a {name} or {name.field.0}")
			}
			query = query || strings.Contains(part.Literal, "?")
			t.parts = append(t.parts, urlPart{part, query})
		}
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
	// url.Parse quotes a URL that it cannot parse, which may hold an expanded secret.
	first, err := url.Parse(head[0].Literal)
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
	var declared strings.Builder
	for _, p := range t.parts {
		if declared.WriteString(p.Literal); p.Path != nil {
			declared.WriteString("x")
		}
	}
	path, _, _ := strings.Cut(declared.String(), "?")
	t.climbs = climbs(path)
	_, afterScheme, _ := strings.Cut(head[0].Literal, "://")
	if len(t.parts) > 1 && !strings.ContainsAny(afterScheme, "/?") {
		return errOutsidePath
	}
	return nil
}

// argumentError is an invalid argument of a call.
type argumentError struct{ name, what string }

func (e *argumentError) Error() string { return fmt.Sprintf("argument %s %s", e.name, e.what) }

// fill puts the arguments into the URL. It refuses one that is empty, or that has a segment "." or
// "..": a server would read another path than the declared one.
func (t *urlTemplate) fill(args map[string]any) (*url.URL, error) {
	var b strings.Builder
	for _, p := range t.parts {
		if p.Path == nil {
			b.WriteString(p.Literal)
			continue
		}
		name := strings.Join(p.Path, ".")
		value, err := p.Value(args)
		if err != nil {
			return nil, err
		}
		text, ok := scalar(value)
		switch {
		case value == nil:
			return nil, &argumentError{name, "is missing"}
		case !ok:
			return nil, &argumentError{name, "must be a text, a number or a boolean"}
		case p.query:
			b.WriteString(url.QueryEscape(text))
		case text == "" || climbs(text):
			return nil, &argumentError{name, "cannot be part of a path"}
		default:
			b.WriteString(url.PathEscape(text))
		}
	}
	u, err := url.Parse(b.String())
	if err != nil {
		return nil, errors.New("the URL cannot be read")
	}
	// An argument next to a dot of the template, or to another argument, can form ".." too.
	if climbs(u.EscapedPath()) && !t.climbs {
		return nil, errors.New("the arguments together cannot be part of a path")
	}
	return u, nil
}

// maxDecoded is how often a percent-encoded text is decoded for the check: by us, by a proxy, by
// the server's framework, and once more.
const maxDecoded = 4

// climbs reports a text that is, or has between slashes, the segment "." or "..". Slashes are
// encoded in the URL, but servers and proxies decode them before they resolve the path, some of
// them twice, and take a backslash for a slash or drop what follows a semicolon. Text that is
// encoded more often than anybody decodes counts too.
func climbs(text string) bool {
	for range maxDecoded {
		slashes := func(r rune) bool { return r == '/' || r == '\\' }
		for segment := range strings.FieldsFuncSeq(text, slashes) {
			segment, _, _ = strings.Cut(segment, ";")
			if segment = strings.TrimSpace(segment); segment == "." || segment == ".." {
				return true
			}
		}
		decoded := encodedByte.ReplaceAllStringFunc(text, func(code string) string {
			b, _ := hex.DecodeString(code[1:])
			return string(b)
		})
		if decoded == text {
			return false
		}
		text = decoded
	}
	return true
}

// encodedByte matches as lenient servers do, which also accept a % without digits next to it.
var encodedByte = regexp.MustCompile(`%[0-9A-Fa-f]{2}`)

// scalar returns the text of a value in a URL; ok is false for lists, objects and nil.
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
