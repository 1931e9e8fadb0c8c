package sqlite

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/internal/test/disktest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/sqlstore"
)

// onDisk opens a store in a new folder of a disk that is watched. sessions turns are there.
func onDisk(t *testing.T, sessions int) (*disktest.Disk, *sqlstore.Store) {
	t.Helper()
	disk := disktest.New(t)
	store := open(t, filepath.Join(disk.Root, "new", "folder", "memory.db"), nil)
	for i := range sessions {
		oneTurnOf(t, store, benchKey(i))
	}
	return disk, store
}

func fileOf(dir string) string { return filepath.Join(dir, "new", "folder", "memory.db") }

// mustHold opens what a crash or a power cut has left: it is sound, is not refused, and holds
// so many turns of each session, or one more, which nobody was told of.
func mustHold(t *testing.T, what, file string, turns ...int64) {
	t.Helper()
	mustBeSound(t, file)
	store, err := Open(t.Context(), file, nil)
	if err != nil {
		t.Fatalf("%s: Open: %v", what, err)
	}
	defer store.Close()
	for i, want := range turns {
		snap := mustLoad(t, store, benchKey(i), memory.LoadOptions{Recent: 1000})
		if snap.Turns != want && snap.Turns != want+1 || int64(len(snap.Recent)) != 2*snap.Turns {
			t.Errorf("%s: session %d has %d turns and %d messages, %d turns were acknowledged", what, i, snap.Turns, len(snap.Recent), want)
		}
	}
	if !t.Failed() {
		oneTurnOf(t, store, benchKey(0))
	}
}

// refusedTurn is a turn with a long message that the disk does not take.
func refusedTurn(t *testing.T, store *sqlstore.Store, key memory.Key, long int) {
	t.Helper()
	d := turnOf(key, mustLoad(t, store, key, memory.LoadOptions{}), time.Now())
	d.Messages[0].Text = strings.Repeat("long ", long)
	if err := store.Commit(t.Context(), d); !errors.Is(err, memory.ErrUnavailable) || !strings.Contains(err.Error(), "check the disk") {
		t.Fatalf("a commit whose sync fails: %v", err)
	}
}

// Commits whose sync fails are refused, written over and leave their ends in the log. That is
// no damage: not for a check of the running service, nor after its death, nor once the disk
// works again.
func TestFailedSyncsAreNoDamage(t *testing.T) {
	disk, store := onDisk(t, 3)
	acknowledged := []int64{1, 1, 1}
	for round := range 3 {
		disk.FailSyncs("memory.db", "-wal")
		for _, long := range []int{20000, 9000, 4000, 1500, 1} { // each covers a part of the one before
			refusedTurn(t, store, benchKey(0), long)
		}
		disk.FailSyncs()
		mustHold(t, "killed while syncs fail", fileOf(disk.Copy()), acknowledged...)
		mustHold(t, "power cut while syncs fail", fileOf(disk.Cut(nil)), acknowledged...)
		oneTurnOf(t, store, benchKey(1))
		acknowledged[1]++
		mustBeSound(t, fileOf(disk.Root))
		mustHold(t, "killed after it works again", fileOf(disk.Copy()), acknowledged...)
		mustHold(t, "power cut after it works again", fileOf(disk.Cut(nil)), acknowledged...)
		if t.Failed() {
			t.Fatalf("in round %d", round)
		}
	}
}

// What has to be read of a damaged file is saved before a backup, which is older, takes its
// place: in every text that speaks of damage.
func TestRemediesSaveFirst(t *testing.T) {
	left := crashed(t, 12)
	data := []byte(left[1])
	data[len(data)/2] ^= 1
	file := put(t, [3]string{left[0], string(data), left[2]})
	_, err := Open(t.Context(), file, nil)
	r, e := Check(t.Context(), file, nil)
	if err == nil || e != nil || r.Sound {
		t.Fatalf("Open: %v, Check: %v", err, e)
	}
	texts := map[string]string{"Open": err.Error(), "Check": r.Remedy(), "rows": (&Report{Problems: []Problem{{Kind: ProblemChecksum}}}).Remedy()}
	for code, r := range remedies {
		if errors.Is(r.sentinel, memory.ErrCorrupt) {
			texts[fmt.Sprint("code ", code)] = r.text
		}
	}
	for what, text := range texts {
		save := firstOf(text, "db backup", "sessions export", "db check")
		if restore := firstOf(text, "restore", "an older backup"); save == len(text) || restore < save {
			t.Errorf("%s: %s", what, text)
		}
	}
}

// firstOf is where the first of some words stands in a text, or its end.
func firstOf(text string, words ...string) int {
	first := len(text)
	for _, word := range words {
		if at := strings.Index(text, word); at >= 0 {
			first = min(first, at)
		}
	}
	return first
}
