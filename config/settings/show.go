package settings

import (
	"net/url"
	"strings"
)

// hidden stands in the place of what a URL says to prove who asks.
const hidden = "***"

// showURL is a value for others to see: of a URL neither user and password nor the values of
// its query, either of which may be a credential. A path that holds one cannot be told from any
// other. What is no URL stays as it is.
func showURL(text string) string {
	scheme, rest, ok := strings.Cut(text, "://")
	if !ok {
		return text
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" { // what it means nobody knows, so nobody knows what is secret in it
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

// showQuery keeps the names of a query.
func showQuery(query string) string {
	pairs := strings.FieldsFunc(query, func(r rune) bool { return r == '&' || r == ';' })
	for i, pair := range pairs {
		name, _, named := strings.Cut(pair, "=")
		if !named {
			name = hidden // a value alone
		} else {
			name += "=" + hidden
		}
		pairs[i] = name
	}
	return strings.Join(pairs, "&")
}
