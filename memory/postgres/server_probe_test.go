package postgres

import (
	"context"
	"errors"
	"net"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/slotway/slotway/memory"
)

var errSilence = errors.New("no answer")

// farServer is a server that can fall silent, or refuse, as a reach sees it.
type farServer struct {
	silent, refuses atomic.Bool
	questions       atomic.Int64
}

// silence is a server that says nothing.
func silence() *farServer {
	s := &farServer{}
	s.silent.Store(true)
	return s
}

func (s *farServer) ask(ctx context.Context) error {
	s.questions.Add(1)
	switch {
	case s.refuses.Load():
		return errSilence
	case s.silent.Load():
		<-ctx.Done()
		return ctx.Err()
	}
	return nil
}

// reachTo is a reach to a server that is asked within two seconds at first, and five at most.
func reachTo(t *testing.T, s *farServer) *serverProbe {
	t.Helper()
	r := newServerProbe(&pgconn.Config{Host: "db", ConnectTimeout: 5 * time.Second})
	r.ask = s.ask
	t.Cleanup(r.close)
	return r
}

// try makes a call that takes so long and ends so, and tells whether it was made.
func (r *serverProbe) try(d time.Duration, err error) bool {
	made := false
	_ = r.call(context.Background(), func() error { // the error is err, or out of reach
		made = true
		time.Sleep(d)
		return err
	})
	return made
}

// A silent server is out of reach once a question to it was in vain for two seconds, and in
// reach within moments of its return. While it is out, nobody waits.
func TestOutOfReach(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := silence()
		r := reachTo(t, s)
		for began := time.Now(); r.try(7*time.Second, errSilence); {
			if time.Since(began) > 7*time.Second {
				t.Fatal("a second call waited for a silent server")
			}
		}
		began := time.Now()
		err := r.call(t.Context(), func() error { t.Error("it was called"); return nil })
		if !errors.Is(err, memory.ErrUnavailable) || time.Since(began) != 0 {
			t.Errorf("call: %v after %s, want %v at once", err, time.Since(began), memory.ErrUnavailable)
		}
		if lost(err) || again(err) {
			t.Error("it would be tried again")
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := r.call(ctx, ctx.Err); !errors.Is(err, context.Canceled) {
			t.Errorf("call of one who gave up: %v, want %v", err, context.Canceled)
		}
		time.Sleep(time.Minute)
		s.refuses.Store(true) // its machine is up again, and then the server
		s.silent.Store(false)
		time.Sleep(r.maxTimeout + askAgain)
		if r.try(0, nil) {
			t.Error("a call was made while the server refuses")
		}
		s.refuses.Store(false)
		time.Sleep(askAgain)
		synctest.Wait()
		if !r.try(0, nil) {
			t.Errorf("out of reach %s after the server's return", askAgain)
		}
		asked := s.questions.Load()
		time.Sleep(time.Hour)
		if n := s.questions.Load() - asked; n != 0 {
			t.Errorf("%d questions to a server that answers", n)
		}
	})
}

// When exactly the server is given up: a second after a call began that gets no answer, and
// the time of the question.
func TestWhenItIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := reachTo(t, silence())
		ended := make(chan bool)
		go func() { ended <- r.try(7*time.Second, errSilence) }()
		time.Sleep(slowAfter + proofTime - time.Millisecond)
		synctest.Wait()
		before := r.unreachable.Load()
		time.Sleep(time.Millisecond)
		synctest.Wait()
		if before || !r.unreachable.Load() {
			t.Errorf("out of reach %t before the time and %t at it, want false and true", before, r.unreachable.Load())
		}
		<-ended
	})
}

// What is no proof: a call that is slow, or times out, while the server answers whoever asks;
// a question in vain while another call is answered, be it with an error; a server that
// refuses for less than the time.
func TestNotOutOfReach(t *testing.T) {
	server := &pgconn.PgError{Code: "57014", Severity: "ERROR", SeverityUnlocalized: "ERROR"}
	for name, run := range map[string]func(r *serverProbe, s *farServer){
		"slow calls": func(r *serverProbe, _ *farServer) {
			for range 20 {
				r.try(6*time.Second, errSilence)
			}
		},
		"others are answered": func(r *serverProbe, s *farServer) {
			s.silent.Store(true) // to new connections
			for range 20 {
				r.try(0, errSilence)
				time.Sleep(time.Second)
				r.try(0, nil)
				time.Sleep(900 * time.Millisecond)
			}
		},
		"with errors": func(r *serverProbe, s *farServer) {
			s.silent.Store(true)
			for range 20 {
				r.try(0, errSilence)
				time.Sleep(time.Second)
				r.try(0, unsent{server})
				r.observe(context.Background(), errMissed)
				time.Sleep(900 * time.Millisecond)
			}
		},
		"started anew": func(r *serverProbe, s *farServer) {
			s.refuses.Store(true)
			r.try(0, errSilence)
			time.Sleep(1500 * time.Millisecond)
			s.refuses.Store(false)
			time.Sleep(time.Second)
		},
		"callers who give up": func(r *serverProbe, s *farServer) {
			s.silent.Store(true)
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			for range 100 {
				r.observe(ctx, context.Canceled)
				r.observe(ctx, unstarted{errSilence})
				r.observe(ctx, memory.ErrClosed)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &farServer{}
				r := reachTo(t, s)
				// It is given up for less than the pause between two questions, if at all.
				go func() {
					for r.done.Err() == nil {
						if r.unreachable.Load() {
							t.Error("given up")
							return
						}
						sleep(r.done, 50*time.Millisecond)
					}
				}()
				run(r, s)
			})
		})
	}
}

// A process that was paused while it asked has heard nothing because it did not listen.
func TestAPausedProcessGivesNobodyUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := silence()
		r := reachTo(t, s)
		questions := 0
		r.ask = func(context.Context) error {
			if questions++; questions == 1 {
				time.Sleep(10 * time.Second)
				return errSilence
			}
			if r.unreachable.Load() {
				t.Error("it was given up")
			}
			return nil
		}
		r.check()
		time.Sleep(time.Minute)
		r.close() // it asks no more
		if questions != 2 || r.unreachable.Load() {
			t.Errorf("%d questions, out of reach: %v", questions, r.unreachable.Load())
		}
	})
}

// Under load every call raises a doubt; new connections for them are few.
func TestFewQuestions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &farServer{}
		r := reachTo(t, s)
		ended := make(chan bool)
		for i := range 1000 {
			go func() {
				time.Sleep(time.Duration(i) * 10 * time.Millisecond)
				ended <- r.try(2*time.Second, nil)
			}()
		}
		for range 1000 {
			if !<-ended {
				t.Error("a call was not made")
			}
		}
		if n := s.questions.Load(); n == 0 || n > 13 { // 12 s in all
			t.Errorf("%d questions", n)
		}
	})
}

// A late answer to a call ends it, too, before the next question would.
func TestLateAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := reachTo(t, silence())
		if !r.try(4*time.Second, nil) || !r.try(0, nil) {
			t.Error("out of reach after an answer")
		}
	})
}

// Of the servers of a dsn each is given its time.
func TestSeveralServers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		config := &pgconn.Config{Host: "a", Port: 1, Fallbacks: []*pgconn.FallbackConfig{{Host: "a", Port: 1}, {Host: "b", Port: 1}, {Host: "b", Port: 2}}}
		r := newServerProbe(config)
		defer r.close()
		if r.minTimeout != 3*proofTime {
			t.Errorf("it takes %s, want %s", r.minTimeout, 3*proofTime)
		}
	})
}

// When the server is given up every connection ends, and one that is in the making; none is
// made until it is back.
func TestCablesAreCut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := silence()
		slow := make(chan struct{})
		config := &pgconn.Config{DialFunc: func(ctx context.Context, _, addr string) (net.Conn, error) {
			if addr == "slow" {
				close(slow)
				<-ctx.Done()
				return nil, ctx.Err()
			}
			near, far := net.Pipe()
			t.Cleanup(func() { far.Close() })
			return near, nil
		}}
		r := newServerProbe(config)
		r.ask = s.ask
		defer r.close()
		open := func() net.Conn {
			conn, err := config.DialFunc(t.Context(), "tcp", "fast")
			if err != nil {
				t.Fatal(err)
			}
			return conn
		}
		open().Close()
		conn := open()
		ended := make(chan error)
		go func() {
			_, err := conn.Read(make([]byte, 1))
			ended <- err
		}()
		go func() {
			_, err := config.DialFunc(t.Context(), "tcp", "slow")
			ended <- err
		}()
		<-slow
		r.check()
		for range 2 {
			if err := <-ended; err == nil {
				t.Error("no error")
			}
		}
		if _, err := config.DialFunc(t.Context(), "tcp", "fast"); !errors.Is(err, errClosedByProbe) {
			t.Errorf("dial while out of reach: %v, want %v", err, errClosedByProbe)
		}
		r.gotAnswer()
		open().Close()
		if len(r.conns) != 0 {
			t.Errorf("%d cables are left", len(r.conns))
		}
	})
}

// What a pooler says of a server that it waits for in vain is no answer of the server: neither
// as that of a question nor as that of a call, nor does it end what is known.
func TestAPoolersWordIsNoAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := silence()
		r := reachTo(t, s)
		// query_wait_timeout of PgBouncer; it comes before the connection is cut.
		waited := &pgconn.PgError{Code: "08P01", Severity: "FATAL", SeverityUnlocalized: "FATAL"}
		for _, err := range []error{nil, errSilence, waited, unsent{waited}} {
			if answered(err) {
				t.Errorf("%v is taken for an answer", err)
			}
		}
		if !answered(&pgconn.PgError{Code: "57P03"}) {
			t.Error("a server that starts is not heard")
		}
		r.try(7*time.Second, waited)
		for range 100 {
			r.observe(t.Context(), waited)
			if time.Sleep(time.Second); r.try(0, nil) {
				t.Fatal("a call was made while the server is silent")
			}
		}
	})
}
