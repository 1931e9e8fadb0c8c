package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/slotway/slotway/internal/build"
)

// chatLog is the file of the data folder for the telemetry of chats. Standard error is for errors: a
// pipe may read it together with the replies, and a terminal draws.
const chatLog = "chat.log"

// maxChatLog is the size from which a chat begins a new log and keeps the old one beside it.
const maxChatLog = 8 << 20

// loggedFlags send telemetry to chatLog, unless the settings name a place that a chat can use.
func loggedFlags(f *flags, terminal bool) (*flags, error) {
	s, err := f.settings()
	if err != nil {
		return nil, err
	}
	if s.Given("telemetry.log") && !(terminal && s.Telemetry.Log == "stderr") {
		return f, nil
	}
	path := filepath.Join(build.DataDir(s), chatLog)
	if info, err := os.Stat(path); err == nil && info.Size() >= maxChatLog { // an unreadable folder is reported by what needs it
		if err := os.Rename(path, path+".old"); err != nil {
			return nil, fmt.Errorf("begin a new log of chats: %w", err)
		}
	}
	logged := *f
	logged.set = append(append([]string{}, f.set...), "telemetry.log="+path)
	return &logged, nil
}
