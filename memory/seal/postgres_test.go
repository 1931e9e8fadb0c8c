package seal_test

import (
	"testing"

	"github.com/slotway/slotway/internal/test/postgrestest"
	"github.com/slotway/slotway/internal/test/storetest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/postgres"
)

func TestStoreOnPostgres(t *testing.T) {
	postgrestest.Schema(t) // skips where there is no server
	storetest.Run(t, func(t *testing.T) memory.Backend {
		inner, err := postgres.Open(t.Context(), postgrestest.Schema(t), nil)
		if err != nil {
			t.Fatal(err)
		}
		store := open(t, inner, newKey)
		open(t, inner, newKey) // with the flag that is there now
		return store
	})
}
