// The program answers the requests of the agent beside it: a stand-in for your own services. It
// keeps everything in memory and listens on 127.0.0.1:9090, or on the address that is its argument.
package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"
)

type employee struct {
	Name   string `json:"name"`
	Email  string `json:"email"` // shortened: the whole address is nobody else's business
	Locked bool   `json:"locked"`
}

type ticket struct {
	ID       string `json:"id"`
	Employee string `json:"employee"`
	Device   string `json:"device"`
	Problem  string `json:"problem"`
	Status   string `json:"status"`
}

type service struct {
	Name  string `json:"name"`
	State string `json:"state"`
	Until string `json:"until,omitempty"`
}

// desk is the state of the help desk. answers holds the reply to each Idempotency-Key, so that a
// repeated request has no second effect.
type desk struct {
	mu        sync.Mutex
	employees map[string]employee
	tickets   []ticket
	services  map[string]service
	answers   map[string]any
}

func newDesk() *desk {
	return &desk{
		employees: map[string]employee{
			"E-1001": {Name: "Ana Ruiz", Email: "a...@corp.example", Locked: true},
			"E-1002": {Name: "Ben Okoro", Email: "b...@corp.example"},
			"E-1003": {Name: "Chloe Lind", Email: "c...@corp.example"},
		},
		tickets: []ticket{
			{ID: "T-501", Employee: "E-1002", Device: "printer", Problem: "prints blank pages", Status: "waiting for parts"},
			{ID: "T-502", Employee: "E-1002", Device: "laptop", Problem: "the battery lasts ten minutes", Status: "in progress"},
		},
		services: map[string]service{
			"email":        {Name: "email", State: "running"},
			"vpn":          {Name: "vpn", State: "disturbed", Until: "4 pm"},
			"wifi":         {Name: "wifi", State: "running"},
			"shared drive": {Name: "shared drive", State: "running"},
		},
		answers: map[string]any{},
	}
}

func (d *desk) getEmployee(r *http.Request) (int, any) {
	e, ok := d.employees[r.PathValue("id")]
	if !ok {
		return http.StatusNotFound, nil
	}
	return http.StatusOK, e
}

func (d *desk) resetPassword(r *http.Request) (int, any) {
	e, ok := d.employees[r.PathValue("id")]
	if !ok {
		return http.StatusNotFound, nil
	}
	e.Locked = false
	d.employees[r.PathValue("id")] = e
	return http.StatusOK, map[string]string{"sent_to": e.Email}
}

func (d *desk) listTickets(r *http.Request) (int, any) {
	open := []ticket{}
	for _, t := range d.tickets {
		if t.Employee == r.URL.Query().Get("employee") && t.Status != "closed" {
			open = append(open, t)
		}
	}
	return http.StatusOK, map[string]any{"tickets": open}
}

func (d *desk) getTicket(r *http.Request) (int, any) {
	i := d.indexOf(r.PathValue("id"))
	if i < 0 {
		return http.StatusNotFound, nil
	}
	return http.StatusOK, d.tickets[i]
}

func (d *desk) openTicket(r *http.Request) (int, any) {
	var t ticket
	if err := json.NewDecoder(r.Body).Decode(&t); err != nil {
		return http.StatusBadRequest, nil
	}
	t.ID, t.Status = fmt.Sprintf("T-%d", 501+len(d.tickets)), "new"
	d.tickets = append(d.tickets, t)
	return http.StatusCreated, t
}

func (d *desk) closeTicket(r *http.Request) (int, any) {
	i := d.indexOf(r.PathValue("id"))
	if i < 0 {
		return http.StatusNotFound, nil
	}
	if d.tickets[i].Status == "closed" {
		return http.StatusConflict, nil
	}
	d.tickets[i].Status = "closed"
	return http.StatusOK, d.tickets[i]
}

// indexOf returns the place of a ticket, or -1.
func (d *desk) indexOf(id string) int {
	return slices.IndexFunc(d.tickets, func(t ticket) bool { return t.ID == id })
}

func (d *desk) getService(r *http.Request) (int, any) {
	s, ok := d.services[r.PathValue("name")]
	if !ok {
		return http.StatusNotFound, nil
	}
	return http.StatusOK, s
}

// answer serves one operation as JSON, one request at a time, and each Idempotency-Key once.
func (d *desk) answer(operation func(*http.Request) (int, any)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		d.mu.Lock()
		defer d.mu.Unlock()
		key := r.Header.Get("Idempotency-Key")
		status, body := http.StatusOK, d.answers[key]
		if body == nil {
			status, body = operation(r)
		}
		if key != "" && status < 300 {
			d.answers[key] = body
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		if err := json.NewEncoder(w).Encode(body); err != nil {
			log.Print(err)
		}
	}
}

func (d *desk) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /employees/{id}", d.answer(d.getEmployee))
	mux.HandleFunc("POST /employees/{id}/password-reset", d.answer(d.resetPassword))
	mux.HandleFunc("GET /tickets", d.answer(d.listTickets))
	mux.HandleFunc("GET /tickets/{id}", d.answer(d.getTicket))
	mux.HandleFunc("POST /tickets", d.answer(d.openTicket))
	mux.HandleFunc("POST /tickets/{id}/close", d.answer(d.closeTicket))
	mux.HandleFunc("GET /services/{name}", d.answer(d.getService))
	return mux
}

func main() {
	args := append(os.Args[1:], "")
	addr := cmp.Or(args[0], "127.0.0.1:9090")
	server := &http.Server{Addr: addr, Handler: newDesk().routes(), ReadHeaderTimeout: 5 * time.Second}
	log.Printf("the help desk's backend listens on http://%s", addr)
	log.Fatal(server.ListenAndServe())
}
