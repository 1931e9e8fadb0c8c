// Package build creates the parts of a runtime that the settings name: stores and their encryption,
// vectors, model servers, classifiers. It knows nothing of conversations. Package slotway connects
// the parts; commands of cmd/slotway that run no turns use single ones.
package build
