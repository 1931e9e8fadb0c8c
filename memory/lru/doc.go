// Package lru bounds a cache by the weight of its entries as well as by their number, and lets
// the least recently used entries go first. The list itself is
// github.com/hashicorp/golang-lru/v2, which bounds the number alone.
package lru
