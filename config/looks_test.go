package config

import "testing"

// TestLooks: every built-in type but free text has a name and a sample, and what an author
// shows comes first.
func TestLooks(t *testing.T) {
	for _, name := range BuiltinTypes {
		typ := &Type{Builtin: name}
		if known := name != "text"; (typ.Kind() != "") != known || (typ.Looks() != "") != known {
			t.Errorf("%s is called %q and looks like %q", name, typ.Kind(), typ.Looks())
		}
	}
	for _, tc := range []struct {
		typ  Type
		want string
	}{
		{Type{Builtin: "email", Example: "you@corp.example"}, "you@corp.example"},
		{Type{Example: "O-12345"}, "O-12345"},
		{Type{Values: []EnumValue{{Value: "small"}, {Value: "large"}}}, "small"},
		{Type{}, ""},
	} {
		if got := tc.typ.Looks(); got != tc.want {
			t.Errorf("%+v looks like %q, want %q", tc.typ, got, tc.want)
		}
	}
}
