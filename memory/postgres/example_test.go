package postgres_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/postgres"
)

// A replica opens the database that it shares with the others, and works off jobs when one
// of them says that there are any.
func Example() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	store, err := postgres.Open(ctx, os.Getenv("DATABASE_URL"), &postgres.Options{MaxConns: 8})
	if err != nil {
		log.Fatal(err) // never quotes the URL
	}
	defer store.Close()
	for range store.Wake(ctx) {
		jobs, err := store.Claim(ctx, memory.Claim{Limit: 10})
		fmt.Println(len(jobs), err)
	}
}
