package conversation

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/internal/test/runtimetest"
)

// TestTheLateYesOfAnotherTab: two tabs show one conversation. The first asks about O-12345; in the
// other the person says no and asks for O-20112. Then the first tab's yes arrives.
func TestTheLateYesOfAnotherTab(t *testing.T) {
	c := runtimetest.OpenShop(t)
	_, asked := c.Chat("c1", "cancel order O-12345", "after_turn", 0)
	if asked["confirming"] != "cancel_order" {
		t.Fatalf("%v", asked)
	}
	c.OtherTab("c1", asked["turn"])
	yes := []any{"after_turn", asked["turn"], "message_id", "late"}
	for _, stream := range []bool{false, true} { // a problem that comes at once is one, also of a stream
		status, refused := c.Chat("c1", "yes", append(yes, "stream", stream)...)
		want := map[string]any{
			"type": "urn:slotway:problem:moved_on", "code": "moved_on", "status": 409.0, "turn": 3.0,
			"title": "The conversation went on elsewhere", "detail": refused["detail"],
		}
		if diff := cmp.Diff(want, refused); status != http.StatusConflict || diff != "" {
			t.Errorf("stream %v: the late yes: %d (-want +got)\n%s", stream, status, diff)
		}
	}
	c.WantCancelled()
	if status, reply := c.Chat("c1", "yes", "after_turn", 3, "message_id", "late"); status != http.StatusOK || reply["turn"] != 4.0 {
		t.Errorf("with the new question seen: %d %v", status, reply)
	}
	c.WantCancelled("O-20112")
	if status, reply := c.Chat("c1", "yes", yes...); status != http.StatusOK || reply["turn"] != 4.0 {
		t.Errorf("sent again, what was answered gets its reply: %d %v", status, reply)
	}
	c.WantCancelled("O-20112")
}

// TestAYesThatDoesNotSayToWhat: without after_turn a yes answers the question that is open when it
// arrives. Clients that do not send what they have seen rely on that.
func TestAYesThatDoesNotSayToWhat(t *testing.T) {
	c := runtimetest.OpenShop(t)
	_, asked := c.Chat("c1", "cancel order O-12345")
	c.OtherTab("c1", asked["turn"])
	if status, reply := c.Chat("c1", "yes"); status != http.StatusOK {
		t.Errorf("%d %v", status, reply)
	}
	c.WantCancelled("O-20112")
}

func TestAfterTurnsThatAreNone(t *testing.T) {
	c := runtimetest.OpenShop(t)
	for _, bad := range []any{-1, 1.5, "1", true, []int{1}} {
		status, body := c.Chat("c1", "hello", "after_turn", bad)
		if detail, _ := body["detail"].(string); status != http.StatusBadRequest || !strings.Contains(detail, "after_turn") {
			t.Errorf("after_turn %v: %d %v", bad, status, body)
		}
	}
	if status, body := c.Chat("", "hello", "after_turn", 1); status != http.StatusBadRequest || !strings.Contains(body["detail"].(string), "conversation_id") {
		t.Errorf("a turn of no conversation: %d %v", status, body)
	}
	if status, body := c.Chat("c1", "hello", "after_turn", 7); status != http.StatusConflict || body["turn"] != 0.0 {
		t.Errorf("a turn of a conversation that was erased: %d %v", status, body)
	}
	if status, _ := c.Chat("c1", "hello", "after_turn", nil); status != http.StatusOK {
		t.Errorf("null is not said: %d", status)
	}
}
