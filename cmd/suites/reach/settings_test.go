package reach

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/internal/test/runtimetest"
)

// A channel that lacks a secret stops the start. The error names each variable with its setting, and no
// secret.
func TestChannelsThatCannotOpen(t *testing.T) {
	t.Setenv("TOKEN_SET", "xoxb-1")
	t.Setenv("SECRET_SHORT", "whsec_c2hvcnQ=")
	_, err := runtimetest.Try(t.Context(), runtimetest.Config{Data: t.TempDir(), Set: []string{
		"telemetry.log=none", "channels.slack.token_env=TOKEN_SET", "channels.slack.signing_secret_env=SECRET_MISSING",
		"channels.webhook.url=http://127.0.0.1:1", "channels.webhook.secret_env=SECRET_SHORT",
	}})
	if err == nil {
		t.Fatal("it opened")
	}
	for _, want := range []string{"channels.slack.signing_secret_env is SECRET_MISSING", "not set", "channels.webhook.secret_env is SECRET_SHORT", "openssl"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
	if strings.Contains(err.Error(), "xoxb-1") || strings.Contains(err.Error(), "c2hvcnQ") {
		t.Errorf("it tells a secret: %v", err)
	}
}

func TestChannelsByName(t *testing.T) {
	t.Setenv("TOKEN_SET", "1")
	r := runtimetest.Open(t, runtimetest.Config{Set: []string{
		"telemetry.log=none", "channels.telegram.token_env=TOKEN_SET", "channels.telegram.secret_env=TOKEN_SET",
		"channels.slack.token_env=TOKEN_SET", "channels.slack.signing_secret_env=TOKEN_SET",
	}})
	if diff := cmp.Diff([]string{"slack", "telegram"}, r.Channels()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	plain := runtimetest.Open(t, runtimetest.Config{Set: []string{"telemetry.log=none"}, Options: slotway.Options{NoHTTP: true}})
	if got := plain.Channels(); len(got) != 0 {
		t.Errorf("a runtime without HTTP has %q", got)
	}
}
