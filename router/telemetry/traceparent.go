package telemetry

import "strings"

// maxTraceParent bounds a header of a later version, in bytes.
const maxTraceParent = 128

// ValidTraceParent reports whether s is a traceparent header that may be passed on: W3C Trace Context,
// https://www.w3.org/TR/trace-context-2/#traceparent-header. A version after 00 may have more fields,
// whose form is unknown.
func ValidTraceParent(s string) bool {
	const size = len("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	if len(s) < size || len(s) > maxTraceParent {
		return false
	}
	version, trace, parent, flags := s[:2], s[3:35], s[36:52], s[53:55]
	for _, dash := range [...]int{2, 35, 52} {
		if s[dash] != '-' {
			return false
		}
	}
	for _, field := range [...]string{version, trace, parent, flags} {
		if strings.Trim(field, "0123456789abcdef") != "" {
			return false
		}
	}
	if version == "ff" || strings.Trim(trace, "0") == "" || strings.Trim(parent, "0") == "" {
		return false
	}
	rest := s[size:]
	return rest == "" || version != "00" && rest[0] == '-' && headerText(rest)
}

// headerText reports whether s is ASCII that a header can carry, without spaces.
func headerText(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r <= ' ' || r > '~' }) < 0
}
