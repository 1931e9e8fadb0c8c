package authoring

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/router/httpapi"
)

// Evaluate measures by cross-validation how well the examples of an agent are told apart. It calls
// progress as it goes, and ends soon after ctx.
type Evaluate func(ctx context.Context, agent *config.Agent, progress func(done, total int)) (*Evaluation, error)

// Evaluation is the result of an Evaluate. Shares are in [0,1].
type Evaluation struct {
	Messages  int              `json:"messages"` // examples that were left out in turn
	Folds     int              `json:"folds"`
	Accuracy  float64          `json:"accuracy"`
	MacroF1   float64          `json:"macro_f1"`
	Threshold float64          `json:"threshold"` // of the agent
	Curve     []ThresholdPoint `json:"curve"`     // by threshold
	Intents   []IntentPoint    `json:"intents"`   // by name
	Confusion []Confused       `json:"confusion"` // pairs that occur, intents taken for themselves included
	Worst     []Missed         `json:"worst"`     // examples taken for another intent, the surest first
}

// ThresholdPoint says what a threshold would do to the examples.
type ThresholdPoint struct {
	Threshold float64 `json:"threshold"`
	Right     float64 `json:"right"`    // taken for the right intent
	Accepted  float64 `json:"accepted"` // taken for any
}

// IntentPoint holds the figures of one intent.
type IntentPoint struct {
	Intent    string  `json:"intent"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	F1        float64 `json:"f1"`
	Support   int     `json:"support"` // examples of it
}

// Confused says how many examples of an intent were taken for an intent.
type Confused struct {
	Intent   string `json:"intent"`
	TakenFor string `json:"taken_for"` // "": for none
	Count    int    `json:"count"`
}

// Missed is an example that was taken for another intent.
type Missed struct {
	At         string  `json:"at"` // file:line:column
	Text       string  `json:"text"`
	Intent     string  `json:"intent"`
	TakenFor   string  `json:"taken_for"`
	Confidence float64 `json:"confidence"`
}

// The states of an evaluation.
const (
	evaluationNone      = "none"
	evaluationRunning   = "running"
	evaluationDone      = "done"
	evaluationFailed    = "failed"
	evaluationCancelled = "cancelled"
)

// evaluating is the newest evaluation.
type evaluating struct {
	mu     sync.Mutex // guards what follows
	view   evaluationView
	hash   string // of the agent that it is about
	cancel context.CancelFunc
}

// evaluationView is how an evaluation stands.
type evaluationView struct {
	State   string      `json:"state"`
	Done    int         `json:"done"` // of Total steps
	Total   int         `json:"total"`
	Started time.Time   `json:"started_at,omitzero"`
	Stale   bool        `json:"stale"` // the agent was changed since
	Error   string      `json:"error,omitempty"`
	Result  *Evaluation `json:"result,omitempty"`
}

// snapshot returns the evaluation as it stands for an agent. The caller holds mu.
func (e *evaluating) snapshot(agent *config.Agent) evaluationView {
	v := e.view
	if v.State == "" {
		v.State = evaluationNone
	}
	v.Stale = v.State != evaluationNone && e.hash != agent.Hash
	return v
}

var errNoEvaluation = notEnabled("This service does not evaluate agents; slotway eval nlu does, and slotway serve.")

func (s *server) evaluation(_ http.ResponseWriter, r *http.Request) (any, error) {
	if err := httpapi.NoQuery(r); err != nil {
		return nil, err
	}
	if s.opts.Evaluate == nil {
		return nil, errNoEvaluation
	}
	s.evaluating.mu.Lock()
	defer s.evaluating.mu.Unlock()
	return s.evaluating.snapshot(s.api.Agent()), nil
}

// startEvaluation starts an evaluation unless one is under way, or the agent has been evaluated.
func (s *server) startEvaluation(_ http.ResponseWriter, r *http.Request) (any, error) {
	if err := httpapi.NoQuery(r); err != nil {
		return nil, err
	}
	if s.opts.Evaluate == nil {
		return nil, errNoEvaluation
	}
	agent, e := s.api.Agent(), &s.evaluating
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.view.State == evaluationRunning || e.view.State == evaluationDone && e.hash == agent.Hash {
		return e.snapshot(agent), nil
	}
	ctx, cancel := context.WithCancel(s.opts.Context)
	e.view, e.hash, e.cancel = evaluationView{State: evaluationRunning, Started: time.Now().UTC()}, agent.Hash, cancel
	go s.evaluate(ctx, agent)
	return e.snapshot(agent), nil
}

// evaluate runs one evaluation.
func (s *server) evaluate(ctx context.Context, agent *config.Agent) {
	e := &s.evaluating
	result, err := s.opts.Evaluate(ctx, agent, func(done, total int) {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.view.Done, e.view.Total = done, total
	})
	e.mu.Lock()
	defer e.mu.Unlock()
	e.cancel()
	switch {
	case errors.Is(err, context.Canceled):
		e.view.State = evaluationCancelled
	case err != nil:
		e.view.State, e.view.Error = evaluationFailed, err.Error()
	default:
		e.view.State, e.view.Result = evaluationDone, result
	}
}

// cancelEvaluation ends the evaluation that is under way; its state follows soon.
func (s *server) cancelEvaluation(_ http.ResponseWriter, r *http.Request) (any, error) {
	if err := httpapi.NoQuery(r); err != nil {
		return nil, err
	}
	if s.opts.Evaluate == nil {
		return nil, errNoEvaluation
	}
	e := &s.evaluating
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.cancel == nil {
		return nil, &httpapi.Problem{Status: http.StatusNotFound, Code: "no_evaluation", Title: "No evaluation is under way", Detail: "POST /v1/evaluation starts one."}
	}
	e.cancel()
	return e.snapshot(s.api.Agent()), nil
}
