// Package notes is a minimal API for notes.
package notes

import (
	"encoding/json"
	"net/http"
	"strconv"
	"sync"
)

// Note is an entry that the API keeps.
type Note struct {
	ID   int    `json:"id"`
	Text string `json:"text"`
	Done bool   `json:"done"`
}

const maxText = 200

type store struct {
	mutex sync.Mutex
	notes []Note
}

// NewHandler returns the API, without any notes.
func NewHandler() http.Handler {
	notes := &store{}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /notes", notes.list)
	mux.HandleFunc("POST /notes", notes.add)
	mux.HandleFunc("GET /notes/{id}", notes.show)
	mux.HandleFunc("DELETE /notes/{id}", notes.remove)
	return mux
}

func (s *store) list(w http.ResponseWriter, r *http.Request) {
	limit := 20
	if text := r.URL.Query().Get("limit"); text != "" {
		number, err := strconv.Atoi(text)
		if err != nil || number < 1 || number > 100 {
			answer(w, http.StatusBadRequest, problem("limit is a number from 1 to 100"))
			return
		}
		limit = number
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	answer(w, http.StatusOK, append([]Note{}, s.notes[:min(limit, len(s.notes))]...))
}

func (s *store) add(w http.ResponseWriter, r *http.Request) {
	var note Note
	if err := json.NewDecoder(r.Body).Decode(&note); err != nil || note.Text == "" || len(note.Text) > maxText {
		answer(w, http.StatusUnprocessableEntity, problem("text has 1 to 200 characters"))
		return
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	note.ID = len(s.notes) + 1
	s.notes = append(s.notes, note)
	w.Header().Set("Location", "/notes/"+strconv.Itoa(note.ID))
	answer(w, http.StatusCreated, note)
}

func (s *store) show(w http.ResponseWriter, r *http.Request) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if note := s.find(r); note != nil {
		answer(w, http.StatusOK, note)
		return
	}
	answer(w, http.StatusNotFound, problem("there is no such note"))
}

func (s *store) remove(w http.ResponseWriter, r *http.Request) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if note := s.find(r); note != nil {
		note.ID = 0
		w.WriteHeader(http.StatusNoContent)
		return
	}
	answer(w, http.StatusNotFound, problem("there is no such note"))
}

func (s *store) find(r *http.Request) *Note {
	id, err := strconv.Atoi(r.PathValue("id"))
	if err != nil || id < 1 || id > len(s.notes) || s.notes[id-1].ID == 0 {
		return nil
	}
	return &s.notes[id-1]
}

func problem(text string) map[string]string { return map[string]string{"problem": text} }

func answer(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value)
}
