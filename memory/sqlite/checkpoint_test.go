package sqlite

import (
	"errors"
	"testing"
)

// What was erased waits in the log for as long as somebody reads it, and no longer.
func TestErasedWaitsForReaders(t *testing.T) {
	file := newFile(t)
	store := open(t, file, nil)
	oneTurnOf(t, store, benchKey(0))
	reader, err := openConn(file)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.close()
	k, err := openConn(file, "busy_timeout(1)")
	if err != nil {
		t.Fatal(err)
	}
	defer k.close()
	p := &checkpointer{conn: k, wal: file + "-wal", every: 1, cap: 1000}
	p.erased.Store(true)
	if err := reader.read(func() error {
		if _, err := readState(reader, benchKey(0)); err != nil {
			return err
		}
		oneTurnOf(t, store, benchKey(0))
		if err := p.checkpoint(); !errors.Is(err, errHeld) || !p.erased.Load() {
			t.Errorf("while somebody reads: %v, still to be erased: %t", err, p.erased.Load())
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if err := p.checkpoint(); err != nil || p.erased.Load() || size(p.wal) != 0 {
		t.Errorf("afterwards: %v, still to be erased: %t, %d bytes of log", err, p.erased.Load(), size(p.wal))
	}
}
