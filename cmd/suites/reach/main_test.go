package reach

import (
	"testing"

	"github.com/slotway/slotway/cmd/internal/programtest"
)

func TestMain(m *testing.M) { programtest.Main(m) }
