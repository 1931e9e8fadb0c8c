package expr

import (
	"fmt"
	"regexp"
	"strings"
)

// maxPattern is the longest pattern in bytes: RE2 is linear in the message, but its factor grows
// with the pattern.
const maxPattern = 1000

// CompilePattern compiles a pattern of a definition; the error says what to write instead.
func CompilePattern(source string) (*regexp.Regexp, error) {
	if len(source) > maxPattern {
		return nil, fmt.Errorf("the pattern has %d bytes, at most %d are allowed; split it into several", len(source), maxPattern)
	}
	re, err := regexp.Compile(source)
	if err == nil {
		return re, nil
	}
	text := strings.TrimPrefix(err.Error(), "error parsing regexp: ")
	if strings.Contains(source, "(?=") || strings.Contains(source, "(?!") || strings.Contains(source, "(?<") {
		return nil, fmt.Errorf("%s; patterns are RE2, which has no look-around: use \\b or a group", text)
	}
	return nil, fmt.Errorf("%s; patterns are RE2: see https://github.com/google/re2/wiki/Syntax", text)
}
