package router_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/router"
)

// deaf is a classifier that fails.
type deaf struct{}

func (deaf) Classify(context.Context, classifier.Input) (message.Result, error) {
	return message.Result{}, errors.New("no ears")
}

func TestFirst(t *testing.T) {
	def, err := config.Parse("test.yaml", fmt.Appendf(nil, agentYAML, false), "")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{"find I-1": "look_up", "buy I-1": "order", "blub": ""} {
		got, err := router.Preview(t.Context(), def, understood, text, time.Now())
		if err != nil || got.Intent != want {
			t.Errorf("%q begins %q, %v, want %q", text, got.Intent, err, want)
		}
	}
	if _, err := router.Preview(t.Context(), def, deaf{}, "find I-1", time.Now()); err == nil || !strings.Contains(err.Error(), "no ears") {
		t.Errorf("a classifier that fails: %v", err)
	}
}
