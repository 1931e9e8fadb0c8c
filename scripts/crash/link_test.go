package main

import (
	"errors"
	"io"
	"net"
	"sync"
	"testing"
)

// echoServer is a server at the far end of a link; it sends back what it gets.
func echoServer(t *testing.T) (addr string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup
	running.Go(func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			running.Go(func() {
				defer c.Close()
				_, _ = io.Copy(c, c)
			})
		}
	})
	t.Cleanup(func() {
		listener.Close()
		running.Wait()
	})
	return listener.Addr().String()
}

func newTestLink(t *testing.T) *link {
	t.Helper()
	l, err := newLink(echoServer(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.close)
	return l
}

// exchange sends a line on a connection and reads it back.
func exchange(t *testing.T, c net.Conn, text string) {
	t.Helper()
	back := make([]byte, len(text))
	_, err := c.Write([]byte(text))
	if err == nil {
		_, err = io.ReadFull(c, back)
	}
	if err != nil || string(back) != text {
		t.Errorf("%q came back as %q, %v", text, back, err)
	}
}

func dial(t *testing.T, addr string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// What is sent while a link is held arrives when it carries again, over the same connection.
func TestLinkHolds(t *testing.T) {
	l := newTestLink(t)
	old := dial(t, l.addr)
	exchange(t, old, "before")
	l.hold()
	fresh := dial(t, l.addr)
	got := make(chan string)
	for _, c := range []net.Conn{old, fresh} {
		if _, err := c.Write([]byte("held")); err != nil {
			t.Fatal(err)
		}
		go func() {
			back := make([]byte, 4)
			if _, err := io.ReadFull(c, back); err != nil {
				t.Error(err)
			}
			got <- string(back)
		}()
	}
	if err := l.heal(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if text := <-got; text != "held" {
			t.Errorf("%q", text)
		}
	}
	exchange(t, old, "after")
}

// What was sent by somebody who has given up meanwhile arrives nevertheless.
func TestLinkDeliversLate(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	l, err := newLink(listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	l.hold()
	c := dial(t, l.addr)
	if _, err := c.Write([]byte("commit")); err != nil {
		t.Fatal(err)
	}
	c.Close()
	if err := l.heal(); err != nil {
		t.Fatal(err)
	}
	far, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer far.Close()
	if text, err := io.ReadAll(far); string(text) != "commit" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
}

func TestLinkRefuses(t *testing.T) {
	l := newTestLink(t)
	old := dial(t, l.addr)
	exchange(t, old, "before")
	l.refuse()
	if _, err := old.Read(make([]byte, 1)); err == nil || errors.Is(err, io.EOF) {
		t.Errorf("the connection ends with %v, want a reset", err)
	}
	if c, err := net.Dial("tcp", l.addr); err == nil {
		c.Close()
		t.Error("a connection is taken")
	}
	if err := l.heal(); err != nil {
		t.Fatal(err)
	}
	exchange(t, dial(t, l.addr), "after")
}
