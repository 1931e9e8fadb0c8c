package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/slotway/slotway/classifier/eval"
)

// shownAdvice bounds each list on a terminal; the JSON has everything.
const shownAdvice = 6

// printAdvice writes advice for people, the most important first.
func printAdvice(out io.Writer, a *eval.Advice) error {
	w := &lines{out: out}
	w.say("%d examples of %d intents, each left out in turn (%d folds): %.1f %% are taken for another intent", a.Examples, a.Intents, a.Folds, 100*a.Error)
	listed(w, "Probably under the wrong intent (move them, or say what sets them apart)", a.Suspects, func(s eval.Suspect) {
		w.say("  %s: %q stands under %s, and reads like %s (%s: %q)", s.At, s.Text, s.Intent, s.TakenFor, s.Like.At, s.Like.Text)
	})
	listed(w, "Siblings: intents that are taken for each other", a.Siblings, func(s eval.Siblings) {
		w.say("  %s and %s: %d examples one way, %d the other, of %d", s.A, s.B, s.AasB, s.BasA, s.Of)
		for _, e := range s.Shown {
			w.say("    %s: %q is %s, taken for %s (%.2f)", e.At, e.Text, e.Intent, e.TakenFor, e.Confidence)
		}
		w.say("    %s", s.Advised)
	})
	listed(w, "Said twice (the second brings nothing; of two intents it is wrong in one)", a.Repeated, func(r eval.Repeated) {
		w.say("  %s: %q of %s is %s of %s", r.At, r.Text, r.Intent, r.First.At, r.First.Intent)
	})
	listed(w, "Examples that others depend on (write two or three more of each kind)", a.Carriers, func(c eval.Carrier) {
		w.say("  %s: %q alone teaches %s", c.At, c.Text, c.Intent)
		for _, b := range c.Breaks[:min(2, len(c.Breaks))] {
			w.say("    without it %s: %q is taken for %s", b.At, b.Text, orNone(b.TakenFor))
		}
	})
	listed(w, "Where the next examples help most", a.Needy, func(n eval.Needy) { printNeedy(w, &n) })
	w.say("")
	w.say("%s", forecastText(a))
	return w.err
}

func printNeedy(w *lines, n *eval.Needy) {
	text := fmt.Sprintf("  %s (%d examples): %.0f %% mistaken", n.Intent, n.Examples, 100*n.Now)
	if n.Doubled != nil {
		text += fmt.Sprintf(", with twice the examples about %.0f %%", 100**n.Doubled)
	}
	if len(n.TakenFor) > 0 {
		text += "; it loses to " + strings.Join(n.TakenFor, " and ")
	}
	w.say("%s", text)
	for _, e := range n.Alone {
		w.say("    %s: %q has nothing like it in the intent", e.At, e.Text)
	}
}

// forecastText says what twice the examples would bring.
func forecastText(a *eval.Advice) string {
	f := a.Forecast
	if f == nil {
		return "What twice the examples would bring cannot be told: " + a.Unknown
	}
	return fmt.Sprintf("Twice the examples (%.0f an intent, not %.0f): errors about %.1f %%, not %.1f (nine times in ten %.1f to %.1f); a doubling takes away about %.0f %% of them",
		2*f.Examples, f.Examples, 100*f.Doubled, 100*f.Now, 100*f.Low, 100*f.High, 100*f.Removed)
}

// listed prints the beginning of a list under its name, and how many items are left out.
func listed[T any](w *lines, name string, items []T, each func(T)) {
	if len(items) == 0 {
		return
	}
	w.say("")
	w.say("%s", name)
	for _, item := range items[:min(shownAdvice, len(items))] {
		each(item)
	}
	if more := len(items) - shownAdvice; more > 0 {
		w.say("  and %d more; --json has all", more)
	}
}

// lines writes until a write fails.
type lines struct {
	out io.Writer
	err error
}

func (l *lines) say(format string, args ...any) {
	if l.err == nil {
		_, l.err = fmt.Fprintf(l.out, format+"\n", args...)
	}
}

// printShortAdvice prints the first of each list, for `check --advice`.
func printShortAdvice(out io.Writer, a *eval.Advice) error {
	w := &lines{out: out}
	if len(a.Suspects) > 0 {
		s := a.Suspects[0]
		w.say("advice: %s: %q probably stands under the wrong intent: %s, and reads like %s%s", s.At, s.Text, s.Intent, s.TakenFor, andMore(len(a.Suspects)))
	}
	if len(a.Siblings) > 0 {
		s := a.Siblings[0]
		w.say("advice: %s and %s are taken for each other, %d of %d examples%s: %s", s.A, s.B, s.AasB+s.BasA, s.Of, andMore(len(a.Siblings)), s.Advised)
	}
	if len(a.Needy) > 0 {
		n := a.Needy[0]
		w.say("advice: the next examples help %s most: %.0f %% of its %d are mistaken%s", n.Intent, 100*n.Now, n.Examples, andMore(len(a.Needy)))
	}
	if len(a.Carriers) > 0 {
		c := a.Carriers[0]
		w.say("advice: %s: %q alone teaches what others of %s say: write more of its kind%s", c.At, c.Text, c.Intent, andMore(len(a.Carriers)))
	}
	w.say("advice: %s", forecastText(a))
	w.say("advice: `slotway eval advice` has all of it")
	return w.err
}

func andMore(n int) string {
	if n < 2 {
		return ""
	}
	return fmt.Sprintf(" (and %d more)", n-1)
}
