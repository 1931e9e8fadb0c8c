package postgres

import (
	"context"
	"net"
	"net/url"
	"testing"
)

// Requests to cancel go to a server, and to no pooler; connections are made to both.
func TestNoRequestToCancelThroughAPooler(t *testing.T) {
	dialled := 0
	d := &dialGuard{}
	dial := d.only(func(context.Context, string, string) (net.Conn, error) { dialled++; return nil, nil })
	for _, c := range []struct {
		name   string
		ctx    context.Context
		direct bool
		want   int
	}{
		{"a connection", whileMaking(t.Context()), false, 1},
		{"a request to cancel", t.Context(), false, 0},
		{"a connection to the server", whileMaking(t.Context()), true, 1},
		{"a request to the server", t.Context(), true, 1},
	} {
		dialled = 0
		d.direct.Store(c.direct)
		if _, err := dial(c.ctx, "tcp", "db"); dialled != c.want || (err == nil) != (c.want > 0) {
			t.Errorf("%s: dialled %d times, want %d; %v", c.name, dialled, c.want, err)
		}
	}
}

// A store finds out by itself what it talks to, also when it is not told (Options.Pooled).
func TestAPoolerIsKnown(t *testing.T) {
	t.Parallel()
	dsn := newSchema(t)
	if !open(t, dsn, &Options{NoNotify: true}).dialGuard.direct.Load() {
		t.Error("a server is taken for a pooler")
	}
	u, err := url.Parse(testDSN(t))
	if err != nil {
		t.Fatal(err)
	}
	if open(t, startPgBouncer(t, u.String())(newDatabase(t)), &Options{NoNotify: true}).dialGuard.direct.Load() {
		t.Error("a pooler is taken for a server")
	}
}
