package pattern

import (
	"errors"
	"fmt"
	"regexp"
	"sync"
)

// Pattern is a regular expression; its methods are those of [regexp.Regexp].
type Pattern struct {
	expr     string
	once     sync.Once
	compiled *regexp.Regexp
}

// declared lists every pattern of the program, for [Check]. Package variables are initialised one after
// the other, so it needs no lock.
var declared []*Pattern

// Must declares the pattern of a package variable; nothing else may call it. A mistake in the expression
// panics at its first use; the tests find it, for they call [Check].
func Must(expr string) *Pattern {
	p := &Pattern{expr: expr}
	declared = append(declared, p)
	return p
}

// Check compiles every pattern that the program declares, and reports those that are wrong.
func Check() error {
	var all []error
	for _, p := range declared {
		if _, err := regexp.Compile(p.expr); err != nil {
			all = append(all, fmt.Errorf("pattern %q: %w", p.expr, err))
		}
	}
	return errors.Join(all...)
}

func (p *Pattern) re() *regexp.Regexp {
	p.once.Do(func() { p.compiled = regexp.MustCompile(p.expr) })
	return p.compiled
}

// String returns the expression.
func (p *Pattern) String() string { return p.expr }

// MatchString is that of regexp.Regexp.
func (p *Pattern) MatchString(s string) bool {
	return p.re().MatchString(s)
}

// Match is that of regexp.Regexp.
func (p *Pattern) Match(b []byte) bool {
	return p.re().Match(b)
}

// FindString is that of regexp.Regexp.
func (p *Pattern) FindString(s string) string {
	return p.re().FindString(s)
}

// FindStringSubmatch is that of regexp.Regexp.
func (p *Pattern) FindStringSubmatch(s string) []string {
	return p.re().FindStringSubmatch(s)
}

// FindStringSubmatchIndex is that of regexp.Regexp.
func (p *Pattern) FindStringSubmatchIndex(s string) []int {
	return p.re().FindStringSubmatchIndex(s)
}

// FindAllString is that of regexp.Regexp.
func (p *Pattern) FindAllString(s string, n int) []string {
	return p.re().FindAllString(s, n)
}

// FindAllStringIndex is that of regexp.Regexp.
func (p *Pattern) FindAllStringIndex(s string, n int) [][]int {
	return p.re().FindAllStringIndex(s, n)
}

// FindAllStringSubmatch is that of regexp.Regexp.
func (p *Pattern) FindAllStringSubmatch(s string, n int) [][]string {
	return p.re().FindAllStringSubmatch(s, n)
}

// FindAllStringSubmatchIndex is that of regexp.Regexp.
func (p *Pattern) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return p.re().FindAllStringSubmatchIndex(s, n)
}

// ReplaceAll is that of regexp.Regexp.
func (p *Pattern) ReplaceAll(src, repl []byte) []byte {
	return p.re().ReplaceAll(src, repl)
}

// ReplaceAllString is that of regexp.Regexp.
func (p *Pattern) ReplaceAllString(s, with string) string {
	return p.re().ReplaceAllString(s, with)
}

// ReplaceAllStringFunc is that of regexp.Regexp.
func (p *Pattern) ReplaceAllStringFunc(s string, with func(string) string) string {
	return p.re().ReplaceAllStringFunc(s, with)
}
