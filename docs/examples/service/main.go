// Command service answers over HTTP in a server of its own, behind its own login.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"time"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/router/httpapi/access"
)

// login reads the credential that the program uses anyway: a cookie, a token, the name in a
// certificate.
type login struct{}

var users = map[string]string{"Bearer ann-s-token": "ann"}

// Identify implements access.Authenticator.
func (login) Identify(r *http.Request) (access.Identity, error) {
	user, ok := users[r.Header.Get("Authorization")]
	if !ok {
		return access.Identity{}, access.ErrNoCredentials
	}
	return access.Identity{Name: user, UserID: user, Scopes: []access.Scope{access.Chat, access.Read}}, nil
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	rt, err := slotway.Open(ctx, "", &slotway.Options{
		Access: login{},
		Stderr: os.Stderr,
		Set: map[string]string{
			"memory.storage_path": os.Args[1],
			"telemetry.log":       "none",
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close()

	mux := http.NewServeMux()
	mux.Handle("/", rt.Handler())
	mux.HandleFunc("GET /hello", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "the rest of my service") })
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("http://%s\n", listener.Addr())
	context.AfterFunc(ctx, func() { _ = server.Shutdown(context.WithoutCancel(ctx)) })
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		log.Fatal(err)
	}
}
