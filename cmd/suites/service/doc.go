// Package service tests the service behind HTTP: its routes and keys, its clients, its databases
// and replicas.
package service
