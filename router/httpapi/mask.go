package httpapi

import (
	"context"
	"net/http"

	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi/access"
	"github.com/slotway/slotway/router/sessions"
	"github.com/slotway/slotway/router/telemetry"
)

// masked returns the reply of a turn as its caller may see it. The reply's words and its options stay:
// the user must see the values that a yes confirms. Params are masked, unless the caller may see
// redacted values. Only values in the reply itself are masked, so a turn does not read its history.
func (a *API) masked(ctx context.Context, reply router.Reply) router.Reply {
	if access.From(ctx).Has(access.Admin) {
		return reply
	}
	hide := a.redactor()
	mask := sessions.MaskOf(hide, reply.Values(hide))
	reply.Params = mask.Params(reply.Params)
	_, reply.Unheard = reply.Shown(mask.Text)
	reply.Person = reply.Person.Shown(mask.Text)
	return reply
}

// MaskedReply returns a stored reply as the caller of a request may see it: masked like a page of
// messages, words included, unless the caller may see redacted values.
func (a *API) MaskedReply(r *http.Request, reply router.Reply) (router.Reply, error) {
	mask, err := a.pastMask(r, reply.SessionID)
	if err != nil {
		return reply, err
	}
	reply.Reply, reply.Params = mask.Text(reply.Reply), mask.Params(reply.Params)
	reply.Options, reply.Unheard = reply.Shown(mask.Text)
	reply.Person = reply.Person.Shown(mask.Text)
	return reply, nil
}

// MaskedTexts returns texts about a session of the caller, by name, masked as by MaskedReply.
func (a *API) MaskedTexts(r *http.Request, session string, texts map[string]string) (map[string]string, error) {
	mask, err := a.pastMask(r, session)
	if err != nil {
		return texts, err
	}
	out := make(map[string]string, len(texts))
	for name, text := range texts {
		out[mask.Text(name)] = mask.Text(text)
	}
	return out, nil
}

// pastMask returns what hides the redacted values of a session from its caller.
func (a *API) pastMask(r *http.Request, session string) (*sessions.Mask, error) {
	if access.From(r.Context()).Has(access.Admin) {
		return sessions.Reveal(), nil
	}
	if a.kept == nil {
		return sessions.MaskOf(a.redactor(), nil), nil
	}
	key := a.owner(r)
	key.SessionID = session
	return a.kept.Masks(a.redactor()).Of(r.Context(), key)
}

// redactor returns the redactor of the current definition. Where there is none, nil: it hides everything.
func (a *API) redactor() *telemetry.Redactor {
	switch m := a.opts.Memory; {
	case m != nil && m.Redactor != nil:
		return m.Redactor()
	case a.opts.Agent != nil:
		return telemetry.NewRedactor(a.opts.Agent())
	}
	return nil
}
