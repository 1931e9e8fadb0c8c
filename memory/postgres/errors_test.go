package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/slotway/slotway/memory"
)

func serverError(code, severity string) error {
	return fmt.Errorf("wrapped: %w", &pgconn.PgError{
		Code: code, Severity: severity, SeverityUnlocalized: severity, Message: "canary", Detail: "Key (x)=(canary)", Hint: "canary",
		Where: "canary", InternalQuery: "canary",
	})
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		name        string
		err         error
		sentinel    error
		again, lost bool
	}{
		{"deadlock", serverError("40P01", "ERROR"), memory.ErrUnavailable, true, false},
		{"serialization", serverError("40001", "ERROR"), memory.ErrUnavailable, true, false},
		{"unknown completion", serverError("40003", "ERROR"), memory.ErrUnavailable, false, true},
		{"statement not there", serverError("26000", "ERROR"), memory.ErrUnavailable, true, false},
		{"statement there", serverError("42P05", "ERROR"), memory.ErrUnavailable, true, false},
		{"terminated", serverError("57P01", "FATAL"), memory.ErrUnavailable, false, true},
		{"crashed", serverError("57P02", "FATAL"), memory.ErrUnavailable, false, true},
		{"statement timeout", serverError("57014", "ERROR"), memory.ErrUnavailable, false, false},
		{"lock timeout", serverError("55P03", "ERROR"), memory.ErrUnavailable, false, false},
		{"disk full", serverError("53100", "ERROR"), memory.ErrUnavailable, false, false},
		{"read-only", serverError("25006", "ERROR"), memory.ErrUnavailable, false, false},
		{"no table", serverError("42P01", "ERROR"), memory.ErrCorrupt, false, false},
		{"no right", serverError("42501", "ERROR"), memory.ErrUnavailable, false, false},
		{"doubled row", serverError("23505", "ERROR"), memory.ErrCorrupt, false, false},
		{"bad value", serverError("22021", "ERROR"), memory.ErrBadDelta, false, false},
		{"damaged page", serverError("XX001", "ERROR"), memory.ErrCorrupt, false, false},
		{"of another kind", serverError("ZZ999", "ERROR"), memory.ErrUnavailable, false, false},
		{"connection cut", fmt.Errorf("canary: %w", io.ErrUnexpectedEOF), memory.ErrUnavailable, false, true},
		{"deadline", fmt.Errorf("canary: %w", context.DeadlineExceeded), memory.ErrUnavailable, false, true},
		{"before the commit", unsent{io.ErrUnexpectedEOF}, memory.ErrUnavailable, true, false},
		{"without a connection", unstarted{memory.ErrUnavailable}, memory.ErrUnavailable, false, false},
		{"explained", memory.ErrConflict, memory.ErrConflict, false, false},
	} {
		err := explain(t.Context(), c.err)
		if !errors.Is(err, c.sentinel) {
			t.Errorf("%s: %v, want %v", c.name, err, c.sentinel)
		}
		if text := fmt.Sprintf("%v %+v", err, err); strings.Contains(text, "canary") {
			t.Errorf("%s: the error quotes the driver: %s", c.name, text)
		}
		var driver *pgconn.PgError
		if errors.As(err, &driver) {
			t.Errorf("%s: the driver's error is still in the chain", c.name)
		}
		if again(c.err) != c.again || lost(c.err) != c.lost {
			t.Errorf("%s: again %t lost %t", c.name, again(c.err), lost(c.err))
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := explain(ended, serverError("57014", "ERROR")); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
}
