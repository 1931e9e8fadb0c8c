// Package build makes the parts of a runtime that settings name: stores and their encryption,
// vectors, model servers, classifiers. It knows no conversation. Package slotway puts the parts
// together; cmd/slotway uses single ones in commands that run no turns.
package build
