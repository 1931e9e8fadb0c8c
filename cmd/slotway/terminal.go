package main

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/term"

	"github.com/slotway/slotway/config/printable"
)

// onTerminal runs do with line editing. width is the number of columns, which may change; 0: unknown.
func onTerminal(in, out *os.File, do func(screen *term.Terminal, width func() int) error) error {
	restore, err := term.MakeRaw(int(in.Fd()))
	if err != nil {
		return fmt.Errorf("set up the terminal: %w", err)
	}
	defer func() { _ = term.Restore(int(in.Fd()), restore) }()
	screen := term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{in, printable.NewScreen(out)}, "> ")
	width := func() int {
		w, h, err := term.GetSize(int(out.Fd()))
		if err != nil || w <= 0 {
			return 0
		}
		_ = screen.SetSize(w, h) // the window may have changed
		return w
	}
	width()
	return do(screen, width)
}

// onTab makes Tab complete a line whose end the cursor is at.
func onTab(screen *term.Terminal, complete func(line string) string) {
	screen.AutoCompleteCallback = func(line string, pos int, key rune) (string, int, bool) {
		if key != '\t' || pos != len(line) {
			return "", 0, false
		}
		line = complete(line)
		return line, len(line), true
	}
}
