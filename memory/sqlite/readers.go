package sqlite

import (
	"context"
	"errors"
	"sync"

	"github.com/slotway/slotway/memory"
)

// readers are the connections that only read.
type readers struct {
	size int
	free chan *conn
	done chan struct{} // closed by close
	once sync.Once
}

func openReaders(path string, size int, pragmas ...string) (*readers, error) {
	r := &readers{size: size, free: make(chan *conn, size), done: make(chan struct{})}
	for i := range size {
		c, err := openConn(path, pragmas...)
		if err != nil {
			r.size = i
			return nil, errors.Join(err, r.close())
		}
		r.free <- c
	}
	return r, nil
}

// with lends a connection to f. The context bounds the wait for it, not f: reads are short.
func (r *readers) with(ctx context.Context, f func(*conn) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case <-r.done:
		return memory.ErrClosed
	default:
	}
	select {
	case c := <-r.free:
		defer func() { r.free <- c }()
		return f(c)
	case <-ctx.Done():
		return ctx.Err()
	case <-r.done:
		return memory.ErrClosed
	}
}

// close waits for reads under way.
func (r *readers) close() error {
	var all []error
	r.once.Do(func() {
		close(r.done)
		for range r.size {
			all = append(all, (<-r.free).close())
		}
	})
	return errors.Join(all...)
}
