package httpapi

import "testing"

func TestWhole(t *testing.T) {
	for raw, want := range map[string]int64{"0": 0, "-3": -3, "433.0": 433, "4e2": 400, "1.5e1": 15, "9007199254740993": 9007199254740993} {
		if got, err := ParseInteger([]byte(raw)); got != want || err != nil {
			t.Errorf("%s: %d, %v", raw, got, err)
		}
	}
	for _, raw := range []string{"1.5", `"1"`, "1e300", "true", "[]", "9007199254740993.0e3", "-1e400"} {
		if got, err := ParseInteger([]byte(raw)); err == nil {
			t.Errorf("%s is read as %d", raw, got)
		}
	}
}

// What the published schema calls an integer is taken as one.
func TestWholeNumbersOfBodies(t *testing.T) {
	if req, err := decodeChat([]byte(`{"message": "a", "conversation_id": "c", "after_turn": 433.0}`)); err != nil || *req.afterTurn != 433 {
		t.Errorf("chat: %+v, %v", req, err)
	}
	if find, err := decodeSearch([]byte(`{"query": "a", "limit": 43.0}`)); err != nil || find.K != 43 {
		t.Errorf("search: %+v, %v", find, err)
	}
	for _, body := range []string{`{"query": "a", "limit": 0}`, `{"query": "a", "limit": 51}`, `{"query": "a", "limit": 1e300}`, `{"query": "a", "limit": -9e15}`} {
		if find, err := decodeSearch([]byte(body)); err == nil {
			t.Errorf("%s is read as %+v", body, find)
		}
	}
}
