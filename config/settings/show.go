package settings

import (
	"net/url"
	"strings"
)

// hidden replaces credentials in a URL.
const hidden = "***"

// showURL returns a value without the credentials that a URL may hold: user and password, and the
// values of its query. It cannot recognise a credential in the path. It returns text that is no URL
// unchanged.
func showURL(text string) string {
	scheme, rest, ok := strings.Cut(text, "://")
	if !ok {
		return text
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" { // it cannot be parsed, so anything in it may be secret
		if strings.ContainsAny(rest, "@?#") {
			return scheme + "://" + hidden
		}
		return text
	}
	if u.User == nil && u.RawQuery == "" && u.Fragment == "" {
		return text
	}
	authority, tail := rest, ""
	if at := strings.IndexAny(rest, "/?#"); at >= 0 {
		authority, tail = rest[:at], rest[at:]
	}
	if at := strings.LastIndex(authority, "@"); at >= 0 {
		authority = hidden + authority[at:]
	}
	tail, _, fragment := strings.Cut(tail, "#")
	path, query, asked := strings.Cut(tail, "?")
	shown := scheme + "://" + authority + path
	if asked {
		shown += "?" + showQuery(query)
	}
	if fragment {
		shown += "#" + hidden
	}
	return shown
}

// showQuery keeps only the names of a query's parameters.
func showQuery(query string) string {
	pairs := strings.FieldsFunc(query, func(r rune) bool { return r == '&' || r == ';' })
	for i, pair := range pairs {
		name, _, named := strings.Cut(pair, "=")
		if !named {
			name = hidden // a value without a name
		} else {
			name += "=" + hidden
		}
		pairs[i] = name
	}
	return strings.Join(pairs, "&")
}
