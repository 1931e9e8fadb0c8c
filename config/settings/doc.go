// Package settings reads how a Slotway program runs: servers, storage, model servers, limits.
//
// [Load] layers the defaults, a YAML file, the environment and flags into [Settings], and keeps
// the source of each value for [Settings.Values]. It accepts the names that other systems use
// for the same settings, with a warning. The package also reads the file of API keys
// ([ParseKeys]) and the allowed hosts of tools ([ParseAllowedHost]).
//
// Settings are one schema, so its types are exported together.
package settings
