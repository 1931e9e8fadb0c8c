package telemetry

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
)

func TestSlowFollowerLosesTheOldest(t *testing.T) {
	r := NewRecent(&RecentOptions{Buffer: 3})
	f, err := r.Follow("ana", "")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Stop()
	for turn := range int64(8) {
		play(r, "ana", "s", "a", turn, StagePlan)
	}
	events, lost, err := f.Next(t.Context())
	if err != nil || lost != 5 {
		t.Errorf("lost %d, %v; want 5", lost, err)
	}
	want := "ana/s 5 a plan\nana/s 6 a plan\nana/s 7 a plan"
	if diff := cmp.Diff(want, told(events)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	play(r, "ana", "s", "a", 9, StagePlan)
	if events, lost, err = f.Next(t.Context()); len(events) != 1 || lost != 0 || err != nil {
		t.Errorf("afterwards %d events, %d lost, %v", len(events), lost, err)
	}
}

func TestFollowersAreCounted(t *testing.T) {
	r := NewRecent(&RecentOptions{Followers: 3, PerUser: 2})
	follow := func(user string, want error) *Follower {
		t.Helper()
		f, err := r.Follow(user, "s")
		if !errors.Is(err, want) {
			t.Errorf("Follow(%q): %v, want %v", user, err, want)
		}
		return f
	}
	a, b := follow("ana", nil), follow("ana", nil)
	follow("ana", ErrTooMany) // of this user's
	c := follow("bob", nil)
	follow("eve", ErrTooMany) // of all
	for _, f := range []*Follower{a, a, b, c} {
		f.Stop()
	}
	if r.Following() != 0 || len(r.followers) != 0 {
		t.Errorf("%d follow, %d users: want none", r.Following(), len(r.followers))
	}
	follow("eve", nil)
}

func TestNextEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := NewRecent(nil)
		f, err := r.Follow("ana", "s")
		if err != nil {
			t.Fatal(err)
		}
		next := func(ctx context.Context) <-chan error {
			ended := make(chan error, 1)
			go func() { // ends before the bubble does
				_, _, err := f.Next(ctx)
				ended <- err
			}()
			synctest.Wait()
			return ended
		}
		ctx, cancel := context.WithCancel(t.Context())
		waiting := next(ctx)
		cancel()
		if err := <-waiting; !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled Next: %v", err)
		}
		waiting = next(t.Context())
		f.Stop()
		if err := <-waiting; !errors.Is(err, ErrStopped) {
			t.Errorf("stopped Next: %v", err)
		}
		play(r, "ana", "s", "a", 1, StagePlan)
		if err := <-next(t.Context()); !errors.Is(err, ErrStopped) {
			t.Errorf("Next after Stop: %v", err)
		}
	})
}
