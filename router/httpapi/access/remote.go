package access

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/slotway/slotway/tools/httptool"
)

const (
	fetchTimeout = 5 * time.Second
	// fetchEvery limits requests to the issuer: made-up key ids must not cause them.
	fetchEvery   = time.Minute
	maxKeyHeader = 64 << 10 // bytes of an answer's header
	// maxKeyAge is how long a key stays valid after it was removed from the set.
	maxKeyAge = time.Hour
)

// remoteKeys is a key set at a URL. It is fetched when it is first needed, when a token names a key
// that it lacks, and when it is old; while its server is down the last good set is used.
type remoteKeys struct {
	url     string
	client  *http.Client
	timeout time.Duration // of one fetch
	notify  func(error)
	now     func() time.Time

	current atomic.Pointer[fetchedKeys]
	mu      sync.Mutex // held while fetching; guards tried
	lastTry time.Time
}

type fetchedKeys struct {
	set keySet
	at  time.Time
}

func newRemoteKeys(url string, told func(error), now func() time.Time) *remoteKeys {
	return &remoteKeys{url: url, timeout: fetchTimeout, notify: told, now: now, client: &http.Client{
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true,
			IdleConnTimeout: fetchEvery, MaxResponseHeaderBytes: maxKeyHeader,
		},
		// Whoever answers for the issuer's address must not redirect us.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

func (r *remoteKeys) find(id string) ([]verifier, error) {
	have := r.current.Load()
	switch {
	case have == nil || len(have.set.named(id)) == 0:
		r.mu.Lock() // this token cannot be checked without it: wait
		r.fetch()
		r.mu.Unlock()
	case r.now().Sub(have.at) >= maxKeyAge && r.mu.TryLock(): // the others go on with the old ones
		r.fetch()
		r.mu.Unlock()
	}
	if have = r.current.Load(); have == nil {
		return nil, ErrUnavailable
	}
	return have.set.named(id), nil
}

// fetch is called with r.mu held. It does nothing soon after the last try.
func (r *remoteKeys) fetch() {
	gap := fetchEvery
	if r.current.Load() == nil {
		gap = fetchTimeout // nobody gets in until it is there
	}
	if !r.lastTry.IsZero() && r.now().Sub(r.lastTry) < gap {
		return
	}
	r.lastTry = r.now()
	set, err := r.get()
	if err != nil {
		r.notify(fmt.Errorf("fetch server.auth.jwt.jwks_url: %w", err))
		return
	}
	r.current.Store(&fetchedKeys{set, r.now()})
}

// get has a deadline of its own: a client that disconnects must not keep the keys from the others.
func (r *remoteKeys) get() (keySet, error) {
	ctx, cancel := context.WithTimeout(context.Background(), r.timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.url, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/jwk-set+json, application/json")
	res, err := r.client.Do(req)
	if err != nil {
		return nil, unreachable(ctx, err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("status %d", res.StatusCode)
	}
	data, err := readKeySet(res.Body)
	if err != nil {
		return nil, err
	}
	return parseJWKS(data)
}

// unreachable returns why there was no answer. Errors of net/http quote the URL, which may hold a
// credential, and what the other side sent instead of HTTP.
func unreachable(ctx context.Context, err error) error {
	var certificate *tls.CertificateVerificationError
	if errors.As(err, &certificate) {
		return certificate
	}
	return httptool.TransportError(ctx, "jwks", err, false)
}
