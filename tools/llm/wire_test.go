package llm_test

import (
	"context"
	"net"
	"net/http"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/slotway/slotway/tools/llm"
)

// pipes is a listener whose connections stay in memory, so that a synctest bubble's clock
// goes on while they are silent.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}
}

func (p pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p pipes) Close() error {
	close(p.done)
	return nil
}

func (pipes) Addr() net.Addr { return &net.TCPAddr{} }

// bubble serves h to a client without a network; it is called inside a synctest bubble.
// The first refused dials are refused.
func bubble(t *testing.T, opts llm.Options, refused int, h http.HandlerFunc) (client *llm.Client, dials *atomic.Int32) {
	t.Helper()
	listener := pipes{make(chan net.Conn), make(chan struct{})}
	server := &http.Server{Handler: h}
	go server.Serve(listener)
	dials = new(atomic.Int32)
	transport := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		if int(dials.Add(1)) <= refused {
			return nil, &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
		}
		ours, theirs := net.Pipe()
		listener.conns <- theirs
		return ours, nil
	}}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		server.Close()
	})
	opts.BaseURL, opts.Model, opts.HTTPClient = "http://model.invalid/v1", "small", &http.Client{Transport: transport}
	client, err := llm.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	return client, dials
}
