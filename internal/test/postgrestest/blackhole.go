package postgrestest

import (
	"net"
	"net/url"
	"sync"
	"testing"
)

// Blackhole is a proxy before a server. While it drops traffic, connections stay open and nothing
// arrives. What was sent meanwhile arrives afterwards, as TCP would retransmit it.
type Blackhole struct {
	closed chan struct{} // closes every connection
	once   sync.Once     // closes closed

	mu         sync.Mutex    // guards forwarding
	forwarding chan struct{} // closed while traffic is forwarded
}

// Drop stops forwarding.
func (b *Blackhole) Drop() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.forwarding = make(chan struct{})
}

// Forward starts forwarding again.
func (b *Blackhole) Forward() {
	b.mu.Lock()
	defer b.mu.Unlock()
	close(b.forwarding)
}

// Close closes every connection. The end of the test does it, too.
func (b *Blackhole) Close() { b.once.Do(func() { close(b.closed) }) }

// await waits until it forwards, or closes.
func (b *Blackhole) await() {
	b.mu.Lock()
	forwarding := b.forwarding
	b.mu.Unlock()
	select {
	case <-forwarding:
	case <-b.closed:
	}
}

// NewBlackhole puts a Blackhole before the server of a dsn, and returns it and the dsn that leads
// through it.
func NewBlackhole(tb testing.TB, dsn string) (*Blackhole, string) {
	tb.Helper()
	u, err := url.Parse(dsn)
	if err != nil {
		tb.Fatal(err)
	}
	listener, err := new(net.ListenConfig).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	b := &Blackhole{closed: make(chan struct{}), forwarding: make(chan struct{})}
	b.Forward()
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
			running.Go(func() { b.forward(server, client) })
			running.Go(func() { b.forward(client, server) })
			running.Go(func() {
				<-b.closed
				client.Close()
				server.Close()
			})
		}
	})
	tb.Cleanup(func() {
		listener.Close()
		b.Close()
		running.Wait()
	})
	u.Host = listener.Addr().String()
	return b, u.String()
}

func (b *Blackhole) forward(to, from net.Conn) {
	buf := make([]byte, 64<<10)
	for {
		n, err := from.Read(buf)
		b.await()
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
