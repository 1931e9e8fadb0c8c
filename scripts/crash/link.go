package main

import (
	"errors"
	"io"
	"net"
	"sync"
)

// link is the network between the replicas and the database, which can be cut.
type link struct {
	to   string // where the database listens
	addr string // where it listens itself

	mu       sync.Mutex // guards what follows
	listener net.Listener
	open     map[*net.TCPConn]bool
	flows    chan struct{} // closed: what comes is passed on
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

// carry connects one connection with the database, once anything gets through.
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

// pass passes on what comes in one direction, to the end. What was sent while the link was
// held arrives later, also when the sender has given up meanwhile.
func (l *link) pass(to, from *net.TCPConn) {
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		l.await()
		if n > 0 {
			if _, err := to.Write(buf[:n]); err != nil {
				_ = from.CloseRead() // it has no use for more
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

// await waits until the link carries.
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

// hold lets nothing through, and loses nothing either: connections stay, new ones are taken,
// and nobody answers.
func (l *link) hold() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.flows = make(chan struct{})
}

// refuse breaks every connection and takes no new one.
func (l *link) refuse() {
	l.mu.Lock()
	defer l.mu.Unlock()
	_ = l.listener.Close()
	l.listener = nil
	l.breakAll()
}

func (l *link) breakAll() {
	for c := range l.open {
		_ = c.SetLinger(0) // a reset: what is on its way is lost
		_ = c.Close()
	}
}

// heal makes the link as it was.
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

// close ends it and waits for everything that it had under way.
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
