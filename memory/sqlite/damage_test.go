package sqlite

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
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
		c.Missing = err == nil && c.Snap.State.Version == 0
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
func crashed(t testing.TB, turns int) [2]string {
	t.Helper()
	file := newFile(t)
	store := open(t, file, nil)
	for range turns {
		oneTurnOf(t, store, benchKey(0))
	}
	return read(t, copied(t, file))
}

func put(t testing.TB, parts [2]string) string {
	t.Helper()
	file := t.TempDir() + "/memory.db"
	for i, suffix := range []string{"", "-wal"} {
		if err := os.WriteFile(file+suffix, []byte(parts[i]), 0o600); err != nil {
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

// What a cut took from the write-ahead log cannot be known: whole turns from the beginning
// are left. A missing log is one that was cut at its beginning.
func TestTruncatedWAL(t *testing.T) {
	const turns = 12
	parts := crashed(t, turns)
	random := rand.New(rand.NewPCG(3, 4))
	last := int64(-1)
	cuts := []int{0, 1, walHeader - 1, walHeader, walHeader + frameHeader, len(parts[1])}
	for range 30 {
		cuts = append(cuts, random.IntN(len(parts[1])))
	}
	for _, cut := range cuts {
		file := put(t, [2]string{parts[0], parts[1][:cut]})
		mustBeSound(t, file)
		n, err := wholeTurns(t, file)
		if err != nil || n > turns {
			t.Errorf("cut at %d: %d turns, %v", cut, n, err)
		}
		last = max(last, n)
	}
	if last != turns {
		t.Errorf("the whole log gives %d turns, want %d", last, turns)
	}
	file := put(t, parts)
	if err := os.Remove(file + "-wal"); err != nil {
		t.Fatal(err)
	}
	if n, err := wholeTurns(t, file); err != nil || n != 0 {
		t.Errorf("without the log: %d turns, %v", n, err)
	}
}

// A bit turned over in the write-ahead log: commits that had others behind them are missed,
// and neither opening nor a check passes over that. Only the last commit cannot be told from
// one that a crash cut off.
func TestGarbledWAL(t *testing.T) {
	const turns = 12
	parts := crashed(t, turns)
	random := rand.New(rand.NewPCG(5, 6))
	refused, lastLost, unharmed := 0, 0, 0
	for i := range flips(t) {
		data := []byte(parts[1])
		offset := random.IntN(len(data))
		switch i % 4 {
		case 0:
			offset = random.IntN(walHeader)
		case 1: // most likely in the last commit
			offset = len(data) - 1 - random.IntN(pageSize)
		}
		data[offset] ^= 1 << random.IntN(8)
		file := put(t, [2]string{parts[0], string(data)})
		r, err := Check(t.Context(), file, nil)
		if err != nil {
			t.Fatalf("byte %d: Check: %v", offset, err)
		}
		before := read(t, file)
		n, err := wholeTurns(t, file)
		switch {
		case errors.Is(err, memory.ErrCorrupt):
			if refused++; r.Sound {
				t.Errorf("byte %d: the check found nothing, Open: %v", offset, err)
			}
			if read(t, file) != before {
				t.Errorf("byte %d: Open refused the file and changed it", offset)
			}
		case err != nil:
			t.Errorf("byte %d: %v", offset, err)
		case n == turns-1:
			lastLost++
		case n == turns:
			unharmed++
		default:
			t.Errorf("byte %d: %d of %d turns are left, and nobody says so", offset, n, turns)
		}
	}
	t.Logf("of %d flips %d were refused, %d took the last commit, %d did no harm", flips(t), refused, lastLost, unharmed)
	if refused == 0 || lastLost == 0 {
		t.Error("the flips did not reach what they should")
	}
}

// What is left behind of a crash by crashes before it is no damage.
func TestWALAfterCrashes(t *testing.T) {
	parts := crashed(t, 10)
	for round := range 4 {
		file := put(t, [2]string{parts[0], parts[1][:len(parts[1])-frameHeader-round*1000-1]}) // torn
		store, err := Open(t.Context(), file, nil)
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		for range 3 {
			oneTurnOf(t, store, benchKey(0))
		}
		parts = read(t, copied(t, file))
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
	parts := crashed(t, turns)
	for _, shm := range []string{"", "x", string(bytes.Repeat([]byte{0xa5}, 32<<10))} {
		file := put(t, parts)
		if err := os.WriteFile(file+"-shm", []byte(shm), 0o600); err != nil {
			t.Fatal(err)
		}
		if n, err := wholeTurns(t, file); n != turns || err != nil {
			t.Errorf("with %d bytes of shared memory: %d turns, %v", len(shm), n, err)
		}
	}
}

// A log that is being written, begun anew and moved is never taken for a damaged one.
func TestInspectLiveWAL(t *testing.T) {
	file := newFile(t)
	store := open(t, file, &Options{Durability: Relaxed, checkpoint: 16})
	written := make(chan struct{})
	go func() {
		defer close(written)
		for i := range 500 {
			oneTurnOf(t, store, benchKey(i%5))
		}
	}()
	for n := 1; ; n++ {
		if damage, err := inspectWAL(file + "-wal"); damage != nil || err != nil {
			t.Errorf("look %d: %+v, %v", n, damage, err)
		}
		select {
		case <-written:
			t.Logf("looked %d times", n)
			return
		default:
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
	for _, lost := range []bool{true, false} { // the second time it is repaired
		s, err := all.Salvage(t.Context(), key, "", time.Now())
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
