package sqlite

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/sqlstore"
)

// flips is how many bits the tests below turn over; SLOTWAY_TEST_FLIPS asks for more.
func flips(t testing.TB) int {
	text := os.Getenv("SLOTWAY_TEST_FLIPS")
	if text == "" {
		return 40
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("SLOTWAY_TEST_FLIPS: %v", err)
	}
	return n
}

// known reports an error that says what it is.
func known(err error) bool {
	for _, sentinel := range []error{memory.ErrCorrupt, memory.ErrUnavailable, ErrNotDatabase, ErrForeign, ErrNewer, ErrLost} {
		if errors.Is(err, sentinel) {
			return true
		}
	}
	return false
}

// session is all that a store says of one.
type content struct {
	Snap    *memory.Snapshot
	Export  string
	Views   []memory.View
	Steps   []memory.Step
	Missing bool // Load knows of no such session
}

// contents reads sessions in every way there is. Each error must be one that we know.
func contents(t testing.TB, store *sqlstore.Store, sessions int) (list []content, failed bool) {
	t.Helper()
	note := func(what string, err error) {
		if err != nil {
			failed = true
			if !known(err) && !errors.Is(err, memory.ErrNotFound) {
				t.Errorf("%s: an error without a remedy: %v", what, err)
			}
		}
	}
	for i := range sessions {
		key := benchKey(i)
		var c content
		var b bytes.Buffer
		var err error
		c.Snap, err = store.Load(t.Context(), key, memory.LoadOptions{Recent: 50, RequestID: fmt.Sprintf("request-%016x", uint64(1)*0x9e3779b97f4a7c15)})
		note("Load", err)
		if err == nil && len(c.Snap.Damaged) > 0 {
			failed, c.Snap = true, nil
		}
		c.Missing = c.Snap != nil && c.Snap.State.Version == 0
		note("Export", store.Export(t.Context(), key, &b))
		c.Export = b.String()
		c.Views, err = store.Views(t.Context(), memory.ViewQuery{UserID: key.UserID, AgentID: key.AgentID, SessionID: key.SessionID})
		note("Views", err)
		c.Steps, err = store.Steps(t.Context(), key)
		note("Steps", err)
		list = append(list, c)
	}
	_, err := store.Jobs(t.Context(), memory.JobQuery{})
	note("Jobs", err)
	_, err = store.Sessions(t.Context(), memory.Query{})
	note("Sessions", err)
	_, err = store.Claim(t.Context(), memory.Claim{Now: time.Unix(0, 0), Lease: time.Minute})
	note("Claim", err)
	return list, failed
}

// Bits turned over anywhere in the file: whatever they change is found by a check; what is
// read without an error is what was written; nothing panics; every error says what to do.
func TestBitFlips(t *testing.T) {
	const sessions = 2
	file := furnished(t, sessions, 4)
	original := read(t, file)[0]
	store := open(t, file, nil)
	want, failed := contents(t, store, sessions)
	if failed {
		t.Fatal("the file was not sound to begin with")
	}
	store.Close()
	seed := uint64(1)
	if os.Getenv("SLOTWAY_TEST_FLIPS") != "" {
		seed = uint64(time.Now().UnixNano())
	}
	random := rand.New(rand.NewPCG(seed, 2))
	var harmless, byCheck, byReading, onlyCheck int
	for range flips(t) {
		bad := newFlipped(t, original, random)
		r, err := Check(t.Context(), bad.file, nil)
		if err != nil && !known(err) {
			t.Fatalf("%v: Check: %v", bad, err)
		}
		sound := err == nil && r.Sound
		if !sound {
			byCheck++
		}
		store, err := Open(t.Context(), bad.file, nil)
		if err != nil {
			if byReading++; !known(err) {
				t.Errorf("%v: Open: %v", bad, err)
			}
			if sound {
				t.Errorf("%v: the check found nothing, Open: %v", bad, err)
			}
			continue
		}
		got, failed := contents(t, store, sessions)
		store.Close()
		diff := cmp.Diff(want, got)
		switch {
		case sound && (failed || diff != ""):
			t.Errorf("%v: the check found nothing, reading did (-want +got):\n%s", bad, diff)
		case sound:
			harmless++
		case failed:
			byReading++
		case diff != "":
			onlyCheck++
		}
		for i := range got { // whatever the check says
			if s := got[i].Snap; s != nil && !got[i].Missing {
				if diff := cmp.Diff(want[i].Snap.State, s.State) + cmp.Diff(want[i].Snap.Recent, s.Recent); diff != "" {
					t.Errorf("%v: Load returned something else (-want +got):\n%s", bad, diff)
				}
			}
		}
	}
	t.Logf("seed %d: of %d flips %d were harmless, %d were found by a check; of those %d also by reading, %d by the check alone",
		seed, flips(t), harmless, byCheck, byReading, onlyCheck)
	if byCheck == 0 || harmless == 0 || byReading == 0 {
		t.Error("the flips did not reach what they should")
	}
}

// A damaged record of migrations, which only a start reads, is found by a check as well.
func TestCheckReadsWhatAStartReads(t *testing.T) {
	original := read(t, furnished(t, 1, 1))[0]
	for sound, damaged := range map[string]string{"tstamp TIMESTAMP": "tstamp SIMESTAMP", "\tid INTEGER": "\tie INTEGER", "VALUES": "VALUES"} {
		t.Run(damaged, func(t *testing.T) {
			t.Parallel()
			file := put(t, [3]string{strings.ReplaceAll(original, sound, damaged)})
			r, err := Check(t.Context(), file, nil)
			if err != nil {
				t.Fatal(err)
			}
			store, err := Open(t.Context(), file, nil)
			if (err == nil) != r.Sound {
				t.Errorf("sound %t, Open: %v", r.Sound, err)
			}
			if err == nil {
				store.Close()
			}
			if r.Sound != (sound == damaged) {
				t.Errorf("sound %t", r.Sound)
			}
		})
	}
}

// flipped is a copy with one bit turned over.
type flipped struct {
	file   string
	offset int
	bit    int
}

func (f flipped) String() string { return fmt.Sprintf("byte %d, bit %d", f.offset, f.bit) }

func newFlipped(t testing.TB, original string, random *rand.Rand) flipped {
	t.Helper()
	data := []byte(original)
	f := flipped{offset: random.IntN(len(data)), bit: random.IntN(8), file: t.TempDir() + "/memory.db"}
	for n := 0; n < 20 && data[f.offset] == 0; n++ { // most of a file is room
		f.offset = random.IntN(len(data))
	}
	data[f.offset] ^= 1 << f.bit
	if err := os.WriteFile(f.file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return f
}

// crashed is a file with its log as a dead process leaves them, after so many turns of
// benchKey(0), each a commit of its own.
func crashed(t testing.TB, turns int) [3]string {
	t.Helper()
	file := newFile(t)
	store := open(t, file, &Options{Turns: true})
	for range turns {
		oneTurnOf(t, store, benchKey(0))
	}
	return read(t, copied(t, file))
}

func put(t testing.TB, content [3]string) string {
	t.Helper()
	file := t.TempDir() + "/memory.db"
	for i, suffix := range parts {
		if err := os.WriteFile(file+suffix, []byte(content[i]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return file
}

// wholeTurns opens a file and returns how many turns there are, all whole.
func wholeTurns(t testing.TB, file string) (int64, error) {
	t.Helper()
	store, err := Open(t.Context(), file, nil)
	if err != nil {
		return 0, err
	}
	defer store.Close()
	snap := mustLoad(t, store, benchKey(0), memory.LoadOptions{Recent: 1000})
	if int64(len(snap.Recent)) != 2*snap.Turns || snap.State.Version != snap.Turns {
		t.Errorf("half a turn: %d messages, %d turns, version %d", len(snap.Recent), snap.Turns, snap.State.Version)
	}
	oneTurnOf(t, store, benchKey(0)) // and it goes on
	return snap.Turns, nil
}

// A log that is cut, missing, older, or of which a bit is turned over: what was acknowledged is there, or
// the file is refused as it is, and a check says so, too. Without the claim whole turns are left.
func TestLostLog(t *testing.T) {
	const turns = 12
	early, late := crashed(t, turns), crashed(t, turns)
	random := rand.New(rand.NewPCG(5, 6))
	logs := map[string]string{"none": "", "header": late[1][:32], "whole": late[1], "of another": early[1]}
	for i := range flips(t) {
		data := []byte(late[1])
		offset := random.IntN(len(data))
		data[offset] ^= 1 << random.IntN(8)
		logs[fmt.Sprintf("bit at %d", offset)], logs[fmt.Sprintf("cut %d", i)] = string(data), late[1][:random.IntN(len(data))]
	}
	refused := 0
	for name, log := range logs {
		file := put(t, [3]string{late[0], log, late[2]})
		before := read(t, file)
		r, err := Check(t.Context(), file, nil)
		if err != nil {
			t.Fatalf("%s: Check: %v", name, err)
		}
		n, err := wholeTurns(t, file)
		switch {
		case errors.Is(err, ErrLost):
			if refused++; r.Sound {
				t.Errorf("%s: the check found nothing, Open: %v", name, err)
			}
			if read(t, file)[0] != before[0] {
				t.Errorf("%s: Open refused the file and changed it", name)
			}
		case name == "of another" && err == nil: // of the same length, but of another database
		case err != nil || n != turns || !r.Sound:
			t.Errorf("%s: %d of %d turns, sound %t, %v", name, n, turns, r.Sound, err)
		}
		if n, err := wholeTurns(t, put(t, [3]string{late[0], log})); err != nil || n > turns {
			t.Errorf("%s without the claim: %d turns, %v", name, n, err)
		}
	}
	if refused < flips(t) {
		t.Errorf("%d of %d were refused", refused, len(logs))
	}
}

// Who goes on without what is lost removes the claim. A file of another database is not measured by it, a backup
// that was put in place by hand is.
func TestClaim(t *testing.T) {
	backup := crashed(t, 0)
	file := newFile(t)
	store := open(t, file, &Options{Turns: true})
	if _, err := Open(t.Context(), file, &Options{Turns: true, BusyTimeout: time.Millisecond}); !errors.Is(err, ErrInUse) {
		t.Errorf("a second process: %v", err)
	}
	open(t, file, nil).Close() // a command beside the service
	saved := t.TempDir() + "/saved.db"
	oneTurnOf(t, store, benchKey(0))
	if _, err := Backup(t.Context(), file, saved, nil); err != nil {
		t.Fatal(err)
	}
	oneTurnOf(t, store, benchKey(0))
	store.Close()
	old, err := os.ReadFile(saved)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, content string
		claimed       bool
		want          error
	}{
		{"a backup by hand", string(old), true, ErrLost}, {"on purpose", string(old), false, nil}, {"another database", backup[0], true, nil},
	} {
		left := read(t, file)
		left[0], left[1] = c.content, ""
		if !c.claimed {
			left[2] = ""
		}
		again, err := Open(t.Context(), put(t, left), &Options{Turns: true})
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
		if err == nil {
			again.Close()
		}
	}
}

// What is left behind of a crash by crashes before it is no damage.
func TestWALAfterCrashes(t *testing.T) {
	left := crashed(t, 10)
	for round := range 4 {
		file := put(t, [3]string{left[0], left[1][:len(left[1])-round*1000-25]}) // torn
		store, err := Open(t.Context(), file, nil)
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		for range 3 {
			oneTurnOf(t, store, benchKey(0))
		}
		left = read(t, copied(t, file))
		store.Close()
	}
}

// A shorter file, and one whose shared memory is gone or of somebody else.
func TestTruncatedFile(t *testing.T) {
	original := read(t, furnished(t, 2, 3))[0]
	for _, cut := range []int{1, 16, 99, 100, 511, 512, pageSize - 1, pageSize, pageSize + 1, 5 * pageSize, len(original) - pageSize, len(original) - 1} {
		file := t.TempDir() + "/memory.db"
		if err := os.WriteFile(file, []byte(original[:cut]), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(t.Context(), file, nil); !known(err) || errors.Is(err, memory.ErrUnavailable) {
			t.Errorf("cut at %d of %d: Open: %v", cut, len(original), err)
		}
		if left := read(t, file)[0]; left != original[:cut] {
			t.Errorf("cut at %d: the file was changed", cut)
		}
		if r, err := Check(t.Context(), file, nil); err == nil && r.Sound {
			t.Errorf("cut at %d: the check found nothing", cut)
		}
	}
}

func TestForeignSharedMemory(t *testing.T) {
	const turns = 5
	left := crashed(t, turns)
	for _, shm := range []string{"", "x", string(bytes.Repeat([]byte{0xa5}, 32<<10))} {
		file := put(t, left)
		if err := os.WriteFile(file+"-shm", []byte(shm), 0o600); err != nil {
			t.Fatal(err)
		}
		if n, err := wholeTurns(t, file); n != turns || err != nil {
			t.Errorf("with %d bytes of shared memory: %d turns, %v", len(shm), n, err)
		}
	}
}

// A session that has lost its state may be mended: its age is not known, and it is not pruned.
func TestLostStateIsNotPruned(t *testing.T) {
	file := furnished(t, 1, 2)
	mustSQL(t, file, `DELETE FROM sessions`)
	store := open(t, file, nil)
	if n, err := store.Prune(t.Context(), time.Now()); n != 0 || err != nil {
		t.Errorf("Prune = %d, %v", n, err)
	}
	if _, err := store.Load(t.Context(), benchKey(0), memory.LoadOptions{}); !errors.Is(err, memory.ErrCorrupt) {
		t.Errorf("Load: %v", err)
	}
}

// A session whose newest turn is damaged goes on from the turn before, and says so.
func TestDamagedNewestTurn(t *testing.T) {
	file := newFile(t)
	store := open(t, file, nil)
	key := benchKey(1)
	for _, order := range []string{"O-1", "O-2"} {
		d := turnOf(key, mustLoad(t, store, key, memory.LoadOptions{}), time.Now())
		d.State.Params = map[string]any{"order_id": order}
		mustCommit(t, store, d)
	}
	mustSQL(t, file, `UPDATE turns SET plan_execution = CAST('[]' AS BLOB) WHERE turn = 2`)
	all := memory.NewConversations(store, 10)
	if _, err := all.ForTurn(t.Context(), key, "", true); !errors.Is(err, memory.ErrCorrupt) {
		t.Fatalf("a damaged state was loaded: %v", err)
	}
	for _, lost := range []bool{true, false} { // the second time it is as it was left
		s, err := all.Renew(t.Context(), key, "", time.Now())
		if err != nil {
			t.Fatal(err)
		}
		if s.StateLost() != lost || s.Params()["order_id"] != "O-1" || len(s.History()) != 4 || s.Turns() != 2 {
			t.Errorf("lost %t, params %v, %d messages, %d turns", s.StateLost(), s.Params(), len(s.History()), s.Turns())
		}
	}
	d := turnOf(key, mustLoad(t, store, key, memory.LoadOptions{}), time.Now())
	mustCommit(t, store, d)
}
