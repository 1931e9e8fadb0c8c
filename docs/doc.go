// Package docs holds the documents, and examples below it; its test holds their links.
package docs
