package prom

import (
	"sync"

	"github.com/prometheus/client_golang/prometheus"
)

// namespace begins the name of every metric.
const namespace = "slotway"

// family is a metric with labels that caches its series: finding one by key costs a map access and no
// allocation.
type family[K comparable, M any] struct {
	vec    vector[M]
	values func(K) []string // of the labels

	mu   sync.RWMutex // guards made
	made map[K]M
}

// vector is a prometheus.CounterVec or HistogramVec.
type vector[M any] interface {
	WithLabelValues(values ...string) M
	DeleteLabelValues(values ...string) bool
}

// of returns the series of a key.
func (f *family[K, M]) of(key K) M {
	f.mu.RLock()
	series, ok := f.made[key]
	f.mu.RUnlock()
	if ok {
		return series
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	series = f.vec.WithLabelValues(f.values(key)...)
	f.made[key] = series
	return series
}

// forget deletes the series of keys that are gone.
func (f *family[K, M]) forget(gone func(K) bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for key := range f.made {
		if gone(key) {
			f.vec.DeleteLabelValues(f.values(key)...)
			delete(f.made, key)
		}
	}
}

func counters[K comparable](r *prometheus.Registry, name, help string, values func(K) []string, labels ...string) *family[K, prometheus.Counter] {
	vec := prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help}, labels)
	r.MustRegister(vec)
	return &family[K, prometheus.Counter]{vec: vec, values: values, made: map[K]prometheus.Counter{}}
}

func histograms[K comparable](r *prometheus.Registry, name, help string, buckets []float64, values func(K) []string, labels ...string) *family[K, prometheus.Observer] {
	vec := prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: namespace, Name: name, Help: help, Buckets: buckets}, labels)
	r.MustRegister(vec)
	return &family[K, prometheus.Observer]{vec: vec, values: values, made: map[K]prometheus.Observer{}}
}

func counter(r *prometheus.Registry, name, help string) prometheus.Counter {
	c := prometheus.NewCounter(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help})
	r.MustRegister(c)
	return c
}

func histogram(r *prometheus.Registry, name, help string, buckets []float64) prometheus.Histogram {
	h := prometheus.NewHistogram(prometheus.HistogramOpts{Namespace: namespace, Name: name, Help: help, Buckets: buckets})
	r.MustRegister(h)
	return h
}

// gauge makes a gauge with fixed labels, given as name, value, name, value, ...
func gauge(r *prometheus.Registry, name, help string, labels ...string) prometheus.Gauge {
	fixed := prometheus.Labels{}
	for i := 0; i+1 < len(labels); i += 2 {
		fixed[labels[i]] = labels[i+1]
	}
	g := prometheus.NewGauge(prometheus.GaugeOpts{Namespace: namespace, Name: name, Help: help, ConstLabels: fixed})
	r.MustRegister(g)
	return g
}
