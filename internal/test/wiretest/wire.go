// Package wiretest puts a wire before a server on TCP that can be held, broken, shut, and cut at the worst moments.
package wiretest

import (
	"net"
	"net/url"
	"sync"
	"testing"
)

// Fate is what becomes of bytes that a client has sent.
type Fate int

// The fates of bytes. The zero value lets them through.
const (
	Arrives Fate = iota
	Cut          // they do not arrive, and the connection breaks
	Unheard      // they arrive, and the answer is lost with the connection
)

// Wire is a proxy before a server.
type Wire struct {
	URL string // of the server, by way of the wire

	listener net.Listener
	dial     func() (net.Conn, error)
	sent     func() func(data []byte) Fate
	running  sync.WaitGroup

	mu    sync.Mutex // guards what is below
	shut  bool
	flows chan struct{} // closed while things pass
	conns map[net.Conn]bool
}

// New puts a wire before the server of a URL. sent makes for each connection what decides on the bytes that its client
// sends; nil: all arrive. The wire ends with the test.
func New(tb testing.TB, server string, sent func() func(data []byte) Fate) *Wire {
	tb.Helper()
	u, err := url.Parse(server)
	if err != nil {
		tb.Fatal("the address of the server is not a URL")
	}
	if sent == nil {
		sent = func() func([]byte) Fate { return func([]byte) Fate { return Arrives } }
	}
	target := u.Host
	dial := func() (net.Conn, error) { return new(net.Dialer).DialContext(tb.Context(), "tcp", target) }
	w := &Wire{dial: dial, sent: sent, flows: make(chan struct{}), conns: map[net.Conn]bool{}}
	close(w.flows)
	if w.listener, err = new(net.ListenConfig).Listen(tb.Context(), "tcp", "127.0.0.1:0"); err != nil {
		tb.Fatal(err)
	}
	u.Host = w.listener.Addr().String()
	w.URL = u.String()
	w.running.Go(w.accept)
	tb.Cleanup(func() {
		_ = w.listener.Close()
		w.Shut(true)
		w.Release()
		w.running.Wait()
	})
	return w
}

// Break breaks the connections there are.
func (w *Wire) Break() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for c := range w.conns {
		_ = c.Close()
	}
}

// Shut breaks the connections there are and lets none through, or lets them through again.
func (w *Wire) Shut(shut bool) {
	w.mu.Lock()
	w.shut = shut
	w.mu.Unlock()
	if shut {
		w.Break()
	}
}

// Hold lets nothing pass, and nobody is told. What is sent meanwhile arrives after Release, as TCP would send it again.
func (w *Wire) Hold() {
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case <-w.flows:
		w.flows = make(chan struct{})
	default: // held already
	}
}

// Release lets things pass again.
func (w *Wire) Release() {
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case <-w.flows:
	default:
		close(w.flows)
	}
}

func (w *Wire) keep(c net.Conn) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.shut {
		_ = c.Close()
		return false
	}
	w.conns[c] = true
	return true
}

func (w *Wire) drop(c net.Conn) {
	_ = c.Close()
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.conns, c)
}

func (w *Wire) accept() {
	for {
		client, err := w.listener.Accept()
		if err != nil {
			return
		}
		if w.keep(client) {
			w.running.Go(func() { w.serve(client) })
		}
	}
}

func (w *Wire) serve(client net.Conn) {
	defer w.drop(client)
	server, err := w.dial()
	if err != nil || !w.keep(server) {
		return
	}
	defer w.drop(server)
	answered := make(chan struct{})
	var deaf sync.Mutex // held by who wants an answer to be lost
	w.running.Go(func() {
		defer close(answered)
		defer client.Close()
		w.carry(server, func(data []byte) bool {
			deaf.Lock()
			defer deaf.Unlock()
			_, err := client.Write(data)
			return err == nil
		})
	})
	fate := w.sent()
	w.carry(client, func(data []byte) bool {
		is := fate(data)
		if is == Unheard {
			deaf.Lock()
			_ = client.Close()
			deaf.Unlock()
		}
		if is == Cut {
			return false
		}
		_, err := server.Write(data)
		if err == nil && is == Unheard {
			_ = server.(*net.TCPConn).CloseWrite() // the server may be gone, too
			<-answered                             // it has done what it was told
		}
		return err == nil && is == Arrives
	})
	_ = server.Close()
	<-answered
}

// carry hands on what a connection brings while things pass, until to is false.
func (w *Wire) carry(from net.Conn, to func(data []byte) bool) {
	buf := make([]byte, 64<<10)
	for {
		n, err := from.Read(buf)
		if err != nil {
			return
		}
		w.mu.Lock()
		flows := w.flows
		w.mu.Unlock()
		<-flows
		if !to(buf[:n]) {
			return
		}
	}
}
