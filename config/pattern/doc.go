// Package pattern searches texts for regular expressions with few trials: a search begins only where
// a match can begin, and not at all in a text without a rune that every match has. It finds exactly
// what package regexp finds.
package pattern
