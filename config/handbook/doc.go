// Package handbook writes an agent as one HTML page that needs nothing else: its tasks with their
// flows, params, tools, responses and policies, for people who read no YAML.
//
// [Write] writes the page. It holds what the definition says and no value of any conversation.
package handbook
