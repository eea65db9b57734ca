package notes_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"example.com/notes"
	covtool "github.com/covtool/covtool/integrations/go"
)

// serve returns the address of the API: the one in API_URL, or a new one for this test.
func serve(t *testing.T) string {
	t.Helper()
	if running := os.Getenv("API_URL"); running != "" {
		return running
	}
	server := httptest.NewServer(covtool.Record(t, notes.NewHandler()))
	t.Cleanup(server.Close)
	return server.URL
}

func send(t *testing.T, method, url, body string, status int) (*http.Response, []byte) {
	t.Helper()
	request, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if response.StatusCode != status {
		t.Fatalf("%s %s answers %s: %s", method, url, response.Status, answer)
	}
	return response, answer
}

func TestAList(t *testing.T) {
	api := serve(t)
	send(t, "POST", api+"/notes", `{"text":"Read"}`, http.StatusCreated)
	for _, test := range []struct {
		name, query string
		status      int
	}{
		{"of all", "", http.StatusOK},
		{"of a few", "?limit=2", http.StatusOK},
		{"of none", "?limit=0", http.StatusBadRequest},
		{"of nobody knows how many", "?limit=many", http.StatusBadRequest},
	} {
		t.Run(test.name, func(t *testing.T) {
			send(t, "GET", api+"/notes"+test.query, "", test.status)
		})
	}
}

func TestANoteIsKept(t *testing.T) {
	api := serve(t)
	created, _ := send(t, "POST", api+"/notes", `{"text":"Buy milk","done":true}`, http.StatusCreated)
	_, body := send(t, "GET", api+created.Header.Get("Location"), "", http.StatusOK)
	var note notes.Note
	if err := json.Unmarshal(body, &note); err != nil || note.Text != "Buy milk" {
		t.Errorf("%s: %v", body, err)
	}
}

func TestANoteNeedsText(t *testing.T) {
	api := serve(t)
	send(t, "POST", api+"/notes", `{"text":""}`, http.StatusUnprocessableEntity)
	send(t, "POST", api+"/notes", `{"text":"`+strings.Repeat("a", 201)+`"}`, http.StatusUnprocessableEntity)
}

func TestANoteThatIsNotThere(t *testing.T) {
	send(t, "GET", serve(t)+"/notes/1000", "", http.StatusNotFound)
}
