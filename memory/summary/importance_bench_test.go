package summary

import (
	"testing"

	"github.com/slotway/slotway/memory"
)

// What a turn pays for the words of its two messages.
func BenchmarkImportance(b *testing.B) {
	messages := []memory.Message{
		{Role: memory.User, Text: "I want to check my order, the number is O-12345"},
		{Role: memory.Agent, Text: "Order O-12345, wool blanket, is pending. Expected arrival: Friday."},
	}
	for b.Loop() {
		for i := range messages {
			Importance(&messages[i])
		}
	}
}
