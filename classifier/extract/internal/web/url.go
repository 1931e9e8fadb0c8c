// Package web finds e-mail addresses and URLs, typed or dictated.
package web

import (
	"net/netip"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/message"
)

// urlBreaks end a URL besides white space.
const urlBreaks = "<>\"“”«»`|\\"

// URLs appends the web addresses of text: with a scheme, or a host under a known top-level
// domain. Closing punctuation is no part of one. Where only URLs are looked for, hosts
// whose end is a word count too.
func URLs(s *message.Message, taken, into []find.Span) []find.Span {
	text := s.Text
	if strings.IndexByte(text, '.') < 0 && !strings.Contains(text, "://") {
		return into
	}
	for from := 0; from < len(text); {
		start := from + strings.IndexFunc(text[from:], func(r rune) bool { return !urlBreak(r) })
		if start < from {
			break
		}
		end := len(text)
		if n := strings.IndexFunc(text[start:], urlBreak); n >= 0 {
			end = start + n
		}
		from = end
		if strings.IndexByte(text[start:end], '.') >= 0 || strings.Contains(text[start:end], "://") {
			into = urlsIn(s, start, end, taken, into)
		}
	}
	return into
}

func urlBreak(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(urlBreaks, r) }

// urlsIn looks through one word.
func urlsIn(s *message.Message, start, end int, taken, into []find.Span) []find.Span {
	if a, b := schemeURL(s.Text, start, end); b > a {
		if !find.Overlaps(taken, a, b) {
			into = append(into, find.Span{Kind: "url", Start: a, End: b, Value: s.Text[a:b], Confidence: 0.97})
		}
		return into
	}
	for start < end {
		r, n := utf8.DecodeRuneInString(s.Text[start:end])
		if !message.IsLetter(r) && (r < '0' || r > '9') {
			start += n
			continue
		}
		next := bareURL(s, start, end)
		if next > start && !find.Overlaps(taken, start, next) {
			into = append(into, find.Span{Kind: "url", Start: start, End: next, Value: s.Text[start:next], Confidence: 0.93})
			start = next
			continue
		}
		host, _ := hostEnd(s.Text[:end], start)
		start = max(host, start+n)
	}
	return into
}

// schemeURL finds http://, https:// or ftp:// within the bytes [from, to) of text.
func schemeURL(text string, from, to int) (start, end int) {
	mark := strings.Index(text[from:to], "://")
	if mark < 0 {
		return 0, 0
	}
	host := from + mark + 3
	for _, scheme := range []string{"https", "http", "ftp"} {
		start = from + mark - len(scheme)
		if start < from || !strings.EqualFold(text[start:from+mark], scheme) || start > 0 && message.WordByte(text, start-1) && start > from {
			continue
		}
		end = trimURL(text, host, to)
		if !reachable(text[host:end]) {
			return 0, 0
		}
		return start, end
	}
	return 0, 0
}

// reachable reports whether what stands behind a scheme names a host: under a known
// top-level domain, an IP address, localhost, or another name with a port or a path.
func reachable(rest string) bool {
	name, tail := rest, ""
	if k := strings.IndexAny(rest, "/?#"); k >= 0 {
		name, tail = rest[:k], rest[k:]
	}
	if k := strings.LastIndexByte(name, '@'); k >= 0 {
		name = name[k+1:]
	}
	if literal, ok := strings.CutPrefix(name, "["); ok {
		literal, _, _ = strings.Cut(literal, "]")
		_, err := netip.ParseAddr(literal)
		return err == nil
	}
	name, port, hasPort := strings.Cut(name, ":")
	if name == "" || name[0] == '.' || name[0] == '-' || strings.Contains(name, "..") || hasPort && strings.Trim(port, "0123456789") != "" {
		return false
	}
	if strings.ContainsFunc(name, func(r rune) bool { return r < utf8.RuneSelf && !isHostByte(byte(r)) }) {
		return false
	}
	tld := strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])
	switch {
	case strings.EqualFold(name, "localhost"), knownTop(tld) && len(tld) < len(name):
		return true
	case strings.Trim(name, "0123456789.") == "":
		_, err := netip.ParseAddr(name)
		return err == nil
	case tld != "" && tld[0] >= utf8.RuneSelf && len(tld) < len(name):
		return true // a name in another script
	}
	return tld != "" && (hasPort || len(tail) > 1)
}

func isHostByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '-' || c == '.' || c == '_'
}

func knownTop(tld string) bool { return topLevels[tld] || strings.HasPrefix(tld, "xn--") }

// bareURL returns where the address without a scheme at byte start ends, or start.
func bareURL(s *message.Message, start, limit int) int {
	text := s.Text
	if start > 0 && (message.WordByte(text, start-1) || strings.IndexByte(".\\+*&", text[start-1]) >= 0) {
		return start
	}
	end, dot := hostEnd(text[:limit], start)
	if dot < 0 || end-dot > 24 {
		return start
	}
	tld := strings.ToLower(text[dot+1 : end])
	ip := false
	if !knownTop(tld) {
		_, err := netip.ParseAddr(text[start:end])
		if ip = err == nil; !ip {
			return start
		}
	}
	rest := restEnd(text, end, limit)
	if rest < limit && (text[rest] == '@' || text[rest] == '_') || isNoHost(s, text[start:dot], tld, ip, rest == end) {
		return start
	}
	if _, err := url.Parse("http://" + text[start:rest]); err != nil {
		return start
	}
	return rest
}

// isNoHost reports whether a name under a top-level domain is something else: a number, a
// time or the end of a sentence. It is bare if no port and no path follows.
func isNoHost(s *message.Message, name, tld string, ip, bare bool) bool {
	switch {
	case len(name) <= 2 && (tld == "am" || tld == "pm") && strings.Trim(name, "0123456789") == "":
		return true // 6.pm
	case s.Only != "":
		return false
	case bare && (ip || wordLevels[tld] && !strings.Contains(name, ".")): // but www.run.it, docs.build.it
		return true
	}
	return strings.Trim(name, "0123456789.") == "" && !ip // 2.in, 3.co
}

// restEnd returns where the port and the path behind a host end, without closing marks.
func restEnd(text string, i, limit int) int {
	end := i
	if end < limit && text[end] == ':' {
		k := end + 1
		for k < limit && text[k] >= '0' && text[k] <= '9' {
			k++
		}
		if k > end+1 && k-end <= 6 {
			end = k
		}
	}
	if end < limit && strings.IndexByte("/?#", text[end]) >= 0 {
		return trimURL(text, end, limit)
	}
	return end
}

// trimURL drops the closing punctuation from the URL whose rest is the bytes
// [from, end): brackets only when they close nothing inside.
func trimURL(text string, from, end int) int {
	if k := strings.IndexByte(text[from:end], '\''); k >= 0 && strings.IndexByte(text[:from], '\'') >= 0 {
		end = from + k // quoted
	}
	for end > from {
		c, n := utf8.DecodeLastRuneInString(text[from:end])
		switch c {
		case '.', ',', ';', ':', '!', '?', '\'', '*', '…', '’', '。', '，':
		case ')', ']', '}':
			open := map[rune]string{')': "(", ']': "[", '}': "{"}[c]
			if strings.Count(text[from:end], open) >= strings.Count(text[from:end], string(c)) {
				return end
			}
		default:
			return end
		}
		end -= n
	}
	return end
}
