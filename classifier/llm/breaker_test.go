package llm

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
)

// modelFunc is a Model.
type modelFunc func(context.Context, Request) (string, error)

func (f modelFunc) Complete(ctx context.Context, req Request) (string, error) { return f(ctx, req) }

// mute never answers.
func mute(ctx context.Context, _ Request) (string, error) {
	<-ctx.Done()
	return "", fmt.Errorf("model: %w", ctx.Err())
}

func ask(t *testing.T, c *Classifier) message.Result {
	t.Helper()
	r, err := c.Ask(t.Context(), Question{Input: classifier.Input{Text: "hm well"}, Embedded: unsure()})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestFailures(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want message.Fallback
	}{
		{context.DeadlineExceeded, message.FallbackTimeout},
		{errors.Join(context.DeadlineExceeded, errors.New("x")), message.FallbackTimeout},
		{fmt.Errorf("model: %w", ErrUnreadable), message.FallbackInvalid},
		{errors.New("connection refused"), message.FallbackUnavailable},
	} {
		r := ask(t, newClassifier(t, shop(), &script{err: tt.err}, nil))
		if r.Fallback != tt.want || r.Tier != "linear" || r.Intent != "opening_hours" {
			t.Errorf("%v: %+v, want %s", tt.err, r, tt.want)
		}
	}
}

// TestTimeout: a model that never answers costs its deadline, and not every time.
func TestTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newClassifier(t, shop(), modelFunc(mute), &Options{Timeout: 2 * time.Second})
		var spent []time.Duration
		var why []message.Fallback
		for range 5 {
			begun := time.Now()
			r := ask(t, c)
			spent, why = append(spent, time.Since(begun)), append(why, r.Fallback)
		}
		for i, want := range []time.Duration{2 * time.Second, 2 * time.Second, 2 * time.Second, 0, 0} {
			reason := message.FallbackTimeout
			if want == 0 {
				reason = message.FallbackPaused
			}
			if spent[i] != want || why[i] != reason {
				t.Errorf("question %d: %v, %s; want %v, %s", i, spent[i], why[i], want, reason)
			}
		}
	})
}

// TestGivenUp: who gives up gets an error, and the model is not blamed.
func TestGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newClassifier(t, shop(), modelFunc(mute), nil)
		for range 2 * defaultFailures {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			_, err := c.Ask(ctx, Question{Input: classifier.Input{Text: "hm well"}, Embedded: unsure()})
			cancel()
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Fatalf("%v, want the caller's deadline", err)
			}
		}
		if r := ask(t, c); r.Fallback != message.FallbackTimeout {
			t.Errorf("%s, want the model to be asked", r.Fallback)
		}
	})
}

func TestPause(t *testing.T) { synctest.Test(t, testPause) }

func testPause(t *testing.T) {
	m := &script{err: errors.New("down")}
	c := newClassifier(t, shop(), m, &Options{Failures: 2, Pause: time.Minute})
	step := func(after time.Duration, err error, answer string, want message.Fallback, questions int) {
		t.Helper()
		time.Sleep(after)
		m.err, m.answer = err, answer
		if r := ask(t, c); r.Fallback != want || len(m.asked) != questions {
			t.Errorf("%s after %d questions, want %q after %d", r.Fallback, len(m.asked), want, questions)
		}
	}
	down := errors.New("down")
	const good = `{"intent":"send_back"}`
	step(0, down, "", message.FallbackUnavailable, 1)
	step(0, nil, good, "", 2) // a success: the row begins anew
	step(0, down, "", message.FallbackUnavailable, 3)
	step(0, nil, "nonsense", message.FallbackInvalid, 4)
	step(0, nil, good, message.FallbackPaused, 4)
	step(59*time.Second, nil, good, message.FallbackPaused, 4)
	step(time.Second, down, "", message.FallbackUnavailable, 5) // the try fails: another pause
	step(59*time.Second, nil, good, message.FallbackPaused, 5)
	step(time.Second, nil, good, "", 6)
	step(0, down, "", message.FallbackUnavailable, 7) // it takes a whole row again
	step(0, nil, `{"intent":"unheard_of"}`, message.FallbackRefused, 8)
	step(0, down, "", message.FallbackUnavailable, 9) // a refused answer is an answer
	step(0, nil, good, "", 10)
}
