package authoring

import (
	"testing"

	"github.com/slotway/slotway/internal/test/programtest"
)

func TestMain(m *testing.M) { programtest.Main(m) }
