package web

import (
	_ "embed" // the top-level domains

	"github.com/slotway/slotway/classifier/message"
)

//go:embed toplevels.txt
var topLevelFile string

//go:embed wordlevels.txt
var wordLevelFile string

// topLevels are the top-level domains of the IANA root zone (2026) in ASCII. Brand names
// are among them; xn-- names are told by their prefix.
var topLevels = message.Words(topLevelFile)

// wordLevels are top-level domains that also end a sentence or a file name. After a bare
// name they make an address only beside a path, a port, a www or a third name: "t.me/x",
// but not "do it.please" or "readme.md".
var wordLevels = message.Words(wordLevelFile)
