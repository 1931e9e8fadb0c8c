package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/slotway/slotway/memory"
)

// checkWindow fetches the newest messages of a session, which may come from a cache, and compares
// them with what the client was told. No turn is on the way. It ignores failed requests: a later
// check will do.
func (c *client) checkWindow(ctx context.Context, s *session) {
	clocks := c.service.clocks()
	var got struct{ Recent []windowMessage }
	replica, err := c.get(ctx, "/v1/sessions/"+s.id+"/context?text=help", &got)
	if err != nil {
		return
	}
	wrong := s.contradicts(got.Recent)
	if len(got.Recent) == 0 {
		var state struct {
			Turn      int64
			UpdatedAt time.Time `json:"updated_at"`
		}
		_, err = c.get(ctx, "/v1/sessions/"+s.id+"/state", &state)
		clock := max(clocks[replica-1], c.service.clocks()[replica-1]) // it may have jumped in between
		pause := time.Now().Add(clock).Sub(state.UpdatedAt)
		if err != nil || pause > idleLimit {
			return // the store is cut off by now, or a pause has ended the window
		}
		wrong += fmt.Sprintf(", %s after turn %d by its clock, which is %s ahead; the client knows turn %d", pause.Round(time.Millisecond), state.Turn, clock, s.last)
	}
	c.windows++
	if wrong != "" {
		c.wrongWindows = append(c.wrongWindows, fmt.Sprintf("session %s, replica %d: %s", s.id, replica, wrong))
	}
}

// idleLimit is the pause that ends a window: that of the agent.
const idleLimit = time.Hour

// get decodes what the service answers, and returns the number of the replica that did, from 1 on.
func (c *client) get(ctx context.Context, path string, into any) (replica int, err error) {
	res, err := c.http.Try(ctx, http.MethodGet, path, nil, nil)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("%s: %s", path, res.Status)
	}
	replica, _ = strconv.Atoi(res.Header.Get(replicaHeader)) // 0: no proxy
	return max(replica, 1), json.NewDecoder(res.Body).Decode(into)
}

// windowMessage is a message in a window.
type windowMessage struct {
	Turn int64
	Role memory.Role
	Text string
}

// contradicts describes an error in a window, or returns "". A window ends with the newest turn,
// and all its messages are those that the client knows, except for messages that were given up.
func (s *session) contradicts(window []windowMessage) string {
	if len(window) == 0 {
		return "it is empty"
	}
	if newest := window[len(window)-1].Turn; newest < s.last || newest > s.last && len(s.gone) == 0 {
		return "it ends with turn " + strconv.FormatInt(newest, 10) + " instead of " + strconv.FormatInt(s.last, 10)
	}
	known := map[int64]*said{}
	for i := range s.turns {
		known[s.turns[i].reply.Turn] = &s.turns[i]
	}
	given := func(text string) bool {
		return slices.ContainsFunc(s.gone, func(g gone) bool { return g.text == text })
	}
	for _, m := range window {
		t := known[m.Turn]
		switch {
		case t == nil && len(s.gone) > 0 && (m.Role != memory.User || given(m.Text)): // from a message that was given up
		case t == nil:
			return fmt.Sprintf("nobody knows its turn %d", m.Turn)
		case m.Role == memory.User && m.Text != t.text, m.Role == memory.Agent && m.Text != t.reply.Reply:
			return fmt.Sprintf("its turn %d is another", m.Turn)
		}
	}
	return ""
}
