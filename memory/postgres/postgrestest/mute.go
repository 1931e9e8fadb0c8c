package postgrestest

import (
	"net"
	"net/url"
	"sync"
	"testing"
)

// Mute is a wire to the server on which, while it is silent, nothing arrives, and nothing
// breaks either. What is sent meanwhile arrives later, as TCP has it.
type Mute struct {
	over chan struct{} // closed: everything breaks
	once sync.Once     // closes over

	mu    sync.Mutex    // guards flows
	flows chan struct{} // closed: what comes is passed on
}

// Hush silences it.
func (m *Mute) Hush() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.flows = make(chan struct{})
}

// Speak ends the silence.
func (m *Mute) Speak() {
	m.mu.Lock()
	defer m.mu.Unlock()
	close(m.flows)
}

// End breaks every connection. The end of the test does it, too.
func (m *Mute) End() { m.once.Do(func() { close(m.over) }) }

// await waits until it speaks, or breaks.
func (m *Mute) await() {
	m.mu.Lock()
	flows := m.flows
	m.mu.Unlock()
	select {
	case <-flows:
	case <-m.over:
	}
}

// Muted puts a Mute before the server of a dsn, and returns it and the dsn that leads through it.
func Muted(tb testing.TB, dsn string) (*Mute, string) {
	tb.Helper()
	u, err := url.Parse(dsn)
	if err != nil {
		tb.Fatal(err)
	}
	listener, err := new(net.ListenConfig).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	m := &Mute{over: make(chan struct{}), flows: make(chan struct{})}
	m.Speak()
	target := u.Host
	var running sync.WaitGroup
	running.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := new(net.Dialer).DialContext(tb.Context(), "tcp", target)
			if err != nil {
				client.Close()
				continue
			}
			running.Go(func() { m.pass(server, client) })
			running.Go(func() { m.pass(client, server) })
			running.Go(func() {
				<-m.over
				client.Close()
				server.Close()
			})
		}
	})
	tb.Cleanup(func() {
		listener.Close()
		m.End()
		running.Wait()
	})
	u.Host = listener.Addr().String()
	return m, u.String()
}

func (m *Mute) pass(to, from net.Conn) {
	buf := make([]byte, 64<<10)
	for {
		n, err := from.Read(buf)
		m.await()
		if n > 0 {
			if _, e := to.Write(buf[:n]); e != nil {
				err = e
			}
		}
		if err != nil {
			to.Close()
			return
		}
	}
}
