package main

import (
	"errors"
	"io"
	"net"
	"sync"
)

// link is a TCP proxy between the replicas and the database that can be cut.
type link struct {
	to   string // address of the database
	addr string // address of the link

	mu       sync.Mutex // guards what follows
	listener net.Listener
	open     map[*net.TCPConn]bool
	flows    chan struct{} // closed while data passes
	ended    bool
	running  sync.WaitGroup
}

func newLink(to string) (*link, error) {
	l := &link{to: to, open: map[*net.TCPConn]bool{}, flows: make(chan struct{})}
	close(l.flows)
	return l, l.listen("127.0.0.1:0")
}

func (l *link) listen(addr string) error {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.listener, l.addr = listener, listener.Addr().String()
	l.running.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			l.running.Go(func() { l.carry(conn.(*net.TCPConn)) })
		}
	})
	return nil
}

// carry connects a client with the database once data may pass.
func (l *link) carry(near *net.TCPConn) {
	if !l.enter(near) {
		return
	}
	defer l.leave(near)
	l.await()
	conn, err := net.Dial("tcp", l.to)
	if err != nil {
		return
	}
	far := conn.(*net.TCPConn)
	if !l.enter(far) {
		return
	}
	defer l.leave(far)
	var both sync.WaitGroup
	both.Go(func() { l.pass(far, near) })
	both.Go(func() { l.pass(near, far) })
	both.Wait()
}

// pass copies data in one direction to its end. Data that was sent while the link was held arrives
// later, even if the sender has given up.
func (l *link) pass(to, from *net.TCPConn) {
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		l.await()
		if n > 0 {
			if _, err := to.Write(buf[:n]); err != nil {
				_ = from.CloseRead() // the other side is gone
				return
			}
		}
		if err != nil {
			_ = to.CloseWrite()
			if !errors.Is(err, io.EOF) {
				_ = to.Close()
			}
			return
		}
	}
}

// await waits until data may pass.
func (l *link) await() {
	l.mu.Lock()
	flows := l.flows
	l.mu.Unlock()
	<-flows
}

func (l *link) enter(c *net.TCPConn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended || l.listener == nil {
		_ = c.Close()
		return false
	}
	l.open[c] = true
	return true
}

func (l *link) leave(c *net.TCPConn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.open, c)
	_ = c.Close()
}

// hold delays all data without loss. Connections stay and new ones are accepted, but nothing
// answers.
func (l *link) hold() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.flows = make(chan struct{})
}

// refuse breaks every connection and accepts no new one.
func (l *link) refuse() {
	l.mu.Lock()
	defer l.mu.Unlock()
	_ = l.listener.Close()
	l.listener = nil
	l.breakAll()
}

func (l *link) breakAll() {
	for c := range l.open {
		_ = c.SetLinger(0) // a reset, which discards data on the way
		_ = c.Close()
	}
}

// heal ends hold and refuse.
func (l *link) heal() error {
	l.mu.Lock()
	select {
	case <-l.flows:
	default:
		close(l.flows)
	}
	refused := l.listener == nil
	l.mu.Unlock()
	if !refused {
		return nil
	}
	return l.listen(l.addr)
}

// close ends the link and waits for its goroutines.
func (l *link) close() {
	l.mu.Lock()
	l.ended = true
	if l.listener != nil {
		_ = l.listener.Close()
	}
	select {
	case <-l.flows:
	default:
		close(l.flows)
	}
	l.breakAll()
	l.mu.Unlock()
	l.running.Wait()
}
