package httpapi

import (
	"context"
	"errors"
	"math"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"golang.org/x/time/rate"

	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi/access"
)

var (
	errRate     = errors.New("too many requests of one client")
	errFailures = errors.New("too many requests with wrong credentials")
	errTooLarge = errors.New("body too large")
)

// limitReasons are the reasons for Options.Limited, by error.
var limitReasons = []struct {
	err    error
	reason string
}{
	{errRate, "rate"},
	{errFailures, "auth"},
	{errFull, "in_flight"},
	{errDraining, "draining"},
	{errStreams, "streams"},
	{errTooLarge, "body"},
	{router.ErrBusy, "queue"},
}

// limited reports a request that a limit refused. It ignores other errors.
func (a *API) limited(err error) {
	if err == nil || a.opts.Limited == nil {
		return
	}
	for _, l := range limitReasons {
		if errors.Is(err, l.err) {
			a.opts.Limited(l.reason)
			return
		}
	}
}

// tooMany is the problem of a client that has to wait.
func tooMany(wait time.Duration) *Problem {
	return &Problem{
		Status: http.StatusTooManyRequests, Code: "rate_limited", Title: "Too many requests",
		Detail: "Wait as long as the header Retry-After says.", RetryAfter: max(1, int(math.Ceil(wait.Seconds()))),
	}
}

// maxClients bounds the table of clients. The client that was silent longest is dropped first and then
// has a full burst again; a table of 10,000 costs about 2 MB.
const maxClients = 10_000

// rateLimits limits the rate of each client.
type rateLimits struct {
	rate  rate.Limit
	burst int

	mu    sync.Mutex // guards known
	known *simplelru.LRU[string, *rate.Limiter]
}

// newRateLimits allows r requests a second with a burst of twice as many, at least one. 0 means no
// limit.
func newRateLimits(r settings.Rate) *rateLimits {
	known, err := simplelru.NewLRU[string, *rate.Limiter](maxClients, nil)
	if err != nil {
		panic(err) // only for a size that is not positive
	}
	return &rateLimits{rate: rate.Limit(r), burst: max(1, int(math.Ceil(2*float64(r)))), known: known}
}

// reserve counts a request and returns 0, or how long the client has to wait.
func (c *rateLimits) reserve(name string) time.Duration {
	if c.rate == 0 {
		return 0
	}
	now, limiter := time.Now(), c.of(name)
	if limiter.AllowN(now, 1) {
		return 0
	}
	missing := 1 - limiter.TokensAt(now)
	return max(1, time.Duration(missing/float64(c.rate)*float64(time.Second)))
}

func (c *rateLimits) of(name string) *rate.Limiter {
	c.mu.Lock()
	defer c.mu.Unlock()
	limiter, ok := c.known.Get(name)
	if !ok {
		limiter = rate.NewLimiter(c.rate, c.burst)
		c.known.Add(name, limiter)
	}
	return limiter
}

// reserveAddress counts a request of somebody who has no credentials. Its error says to wait.
func (a *API) reserveAddress(r *http.Request) error {
	if wait := a.addressRate.reserve(clientAddr(r)); wait > 0 {
		a.limited(errRate)
		return tooMany(wait)
	}
	return nil
}

// rateKey returns the key of a client's rate: the identity, or the address if there are no
// credentials.
func (a *API) rateKey(r *http.Request, id access.Identity) string {
	if _, open := a.opts.Access.(access.Open); open {
		return clientAddr(r)
	}
	return id.Name + "\x00" + id.UserID // names hold no control characters
}

// clientAddr returns the address of the client; in IPv6 its first 64 bits, which belong to one
// subscriber (RFC 6177). Headers that name another address are ignored.
func clientAddr(r *http.Request) string {
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return ""
	}
	addr := at.Addr().Unmap()
	if addr.Is4() {
		return addr.String()
	}
	prefix, err := addr.WithZone("").Prefix(64)
	if err != nil {
		return ""
	}
	return prefix.String()
}

var (
	errFull     = errors.New("too many turns are under way")
	errDraining = errors.New("shutting down")
)

// limiter limits the turns under way.
type limiter struct {
	max int

	mu     sync.Mutex // guards n and closed
	n      int
	closed bool
	idle   chan struct{} // closed when the limiter is closed and n is 0
}

func newLimiter(max int) *limiter { return &limiter{max: max, idle: make(chan struct{})} }

// acquire takes a slot or fails. The caller releases it.
func (g *limiter) acquire() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.closed:
		return errDraining
	case g.n >= g.max:
		return errFull
	}
	g.n++
	return nil
}

func (g *limiter) release() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.n--; g.closed && g.n == 0 {
		close(g.idle)
	}
}

func (g *limiter) isClosed() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.closed
}

// close refuses new turns and waits until all slots are released. It may be called again.
func (g *limiter) close(ctx context.Context) error {
	g.mu.Lock()
	if !g.closed && g.n == 0 {
		close(g.idle)
	}
	g.closed = true
	g.mu.Unlock()
	select {
	case <-g.idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
