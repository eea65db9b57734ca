package covtool_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	covtool "github.com/covtool/covtool/integrations/go"
)

// Each of these tests sends the cases of the conformance set in one way. The caller, tests/recorders/go_test.ts, checks
// the folder that COVTOOL_TRAFFIC names afterwards.

const casesFile = "../../tests/recorders/conformance/cases.json"

type content struct {
	Method     string
	Path       string
	StatusCode int `json:"status_code"`
	Headers    [][2]string
	Body       string
	BodyBase64 []byte `json:"body_base64"`
	Repeat     []any
	Chunks     []any
	Gzip       bool
}

type conformanceCase struct {
	ID              string `json:"id"`
	FollowRedirects bool   `json:"follow_redirects"`
	StreamRequest   bool   `json:"stream_request"`
	Times           int
	Parallel        int
	Read            string
	Needs           []string
	// Changed is the response that the test gets instead while covtool changes responses; Absent lists header fields
	// that this response lacks.
	Changed   *content
	Absent    []string
	Exchanges []struct {
		Request  content
		Response *content
	}
}

// check compares a received response with the expected one while covtool changes responses.
func (c *conformanceCase) check(t *testing.T, response *http.Response, body []byte) {
	t.Helper()
	if os.Getenv("COVTOOL_CHANGES") == "" {
		return
	}
	wanted := c.Exchanges[0].Response
	if c.Changed != nil {
		wanted = c.Changed
	}
	if response.StatusCode != wanted.StatusCode || string(body) != string(wanted.bytes(0)) {
		t.Errorf("%d %q instead of %d %q", response.StatusCode, body, wanted.StatusCode, wanted.bytes(0))
	}
	if !strings.HasPrefix(response.Status, strconv.Itoa(wanted.StatusCode)) || response.ContentLength > 0 && int(response.ContentLength) != len(body) {
		t.Error(response.Status, response.ContentLength)
	}
	header := http.Header{}
	for _, field := range wanted.Headers {
		header.Add(field[0], field[1])
	}
	for name, values := range header {
		if strings.Join(response.Header[name], "|") != strings.Join(values, "|") {
			t.Errorf("%s: %q instead of %q", name, response.Header[name], values)
		}
	}
	for _, name := range c.Absent {
		if len(response.Header[name]) > 0 {
			t.Errorf("%s: %q", name, response.Header[name])
		}
	}
}

func readCases(t *testing.T, without ...string) []conformanceCase {
	t.Helper()
	if os.Getenv("COVTOOL_TRAFFIC") == "" {
		t.Skip("tests/recorders/go_test.ts runs it, with a folder for what it records")
	}
	data, err := os.ReadFile(casesFile)
	if err != nil {
		t.Fatal(err)
	}
	var set struct{ Cases, Changes []conformanceCase }
	if err := json.Unmarshal(data, &set); err != nil {
		t.Fatal(err)
	}
	if os.Getenv("COVTOOL_CHANGES") == "" {
		return set.Cases
	}
	return slices.DeleteFunc(set.Changes, func(c conformanceCase) bool {
		return slices.ContainsFunc(c.Needs, func(need string) bool { return slices.Contains(without, need) })
	})
}

func (c *content) chunks() [][]byte {
	var all [][]byte
	for _, chunk := range c.Chunks {
		if repeated, ok := chunk.([]any); ok {
			all = append(all, []byte(strings.Repeat(repeated[0].(string), int(repeated[1].(float64)))))
		} else {
			all = append(all, []byte(chunk.(string)))
		}
	}
	return all
}

func (c *content) bytes(n int) []byte {
	switch {
	case c.BodyBase64 != nil:
		return c.BodyBase64
	case c.Repeat != nil:
		return []byte(strings.Repeat(c.Repeat[0].(string), int(c.Repeat[1].(float64))))
	case c.Chunks != nil:
		return bytes.Join(c.chunks(), nil)
	case c.Gzip:
		var packed bytes.Buffer
		writer := gzip.NewWriter(&packed)
		_, _ = writer.Write([]byte(c.Body))
		_ = writer.Close()
		return packed.Bytes()
	}
	return []byte(numbered(c.Body, n))
}

func numbered(text string, n int) string { return strings.ReplaceAll(text, "{n}", strconv.Itoa(n)) }

// answers is the application of the conformance set.
type answers map[string]func(http.ResponseWriter)

func newAnswers(cases []conformanceCase) answers {
	all := answers{}
	for _, c := range cases {
		for n := range max(c.Times, 1) {
			for _, exchange := range c.Exchanges {
				response := exchange.Response
				all[exchange.Request.Method+" "+numbered(exchange.Request.Path, n)] = func(w http.ResponseWriter) {
					if response == nil {
						panic(http.ErrAbortHandler)
					}
					for _, header := range response.Headers {
						w.Header().Add(header[0], header[1])
					}
					if response.Gzip {
						w.Header().Set("Content-Encoding", "gzip")
					}
					w.WriteHeader(response.StatusCode)
					if response.Chunks == nil {
						_, _ = w.Write(response.bytes(n))
						return
					}
					for _, chunk := range response.chunks() {
						_, _ = w.Write(chunk)
						w.(http.Flusher).Flush()
					}
				}
			}
		}
	}
	return all
}

func (a answers) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	answer := a[r.Method+" "+r.RequestURI]
	if answer == nil {
		http.Error(w, "no case has it", http.StatusTeapot)
		return
	}
	answer(w)
}

func requestOf(c conformanceCase, base string, n int) *http.Request {
	wanted := c.Exchanges[0].Request
	var body io.Reader
	if data := wanted.bytes(n); len(data) > 0 {
		body = bytes.NewReader(data)
		if c.StreamRequest {
			body = io.MultiReader(body) // A reader of unknown length.
		}
	}
	request, err := http.NewRequestWithContext(context.Background(), wanted.Method, base+numbered(wanted.Path, n), body)
	if err != nil {
		panic(err)
	}
	for _, header := range wanted.Headers {
		request.Header.Add(numbered(header[0], n), numbered(header[1], n))
	}
	return request
}

// send sends a case as many times, and as many at once, as the case demands.
func send(t *testing.T, c conformanceCase, one func(n int)) {
	t.Helper()
	var group sync.WaitGroup
	places := make(chan struct{}, max(c.Parallel, 1))
	for n := range max(c.Times, 1) {
		places <- struct{}{}
		group.Add(1)
		go func() {
			defer func() { <-places; group.Done() }()
			one(n)
		}()
	}
	group.Wait()
}

func exchangeWith(t *testing.T, client *http.Client, c conformanceCase, base string) {
	t.Helper()
	if !c.FollowRedirects {
		stopping := *client
		stopping.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		client = &stopping
	}
	send(t, c, func(n int) {
		response, err := client.Do(requestOf(c, base, n))
		if c.Exchanges[0].Response == nil {
			if err == nil {
				t.Error("the connection did not break")
			}
			return
		}
		if err != nil {
			t.Error(err)
			return
		}
		defer response.Body.Close()
		if c.Read == "first chunk" {
			_, _ = response.Body.Read(make([]byte, 5))
			return
		}
		body, err := io.ReadAll(response.Body)
		last := c.Exchanges[len(c.Exchanges)-1].Response
		if err != nil || response.StatusCode != last.StatusCode && c.FollowRedirects {
			t.Error(response.Status, err, len(body))
		}
		c.check(t, response, body)
	})
}

func TestConformanceOfClient(t *testing.T) {
	cases := readCases(t)
	server := httptest.NewServer(newAnswers(cases))
	defer server.Close()
	for _, c := range cases {
		t.Run(c.ID, func(t *testing.T) { exchangeWith(t, covtool.Client(t, server.Client()), c, server.URL) })
	}
}

func TestConformanceOfHandler(t *testing.T) {
	// A handler that sends its response in pieces has sent the first piece before the last one exists.
	cases := readCases(t, "held-streams")
	for _, c := range cases {
		t.Run(c.ID, func(t *testing.T) {
			server := httptest.NewServer(covtool.Record(t, newAnswers(cases)))
			defer server.Close()
			exchangeWith(t, server.Client(), c, server.URL)
		})
	}
}

// Client and handler both see each exchange, but only one of them records it.
func TestConformanceOfBoth(t *testing.T) {
	cases := readCases(t)
	for _, c := range cases {
		t.Run(c.ID, func(t *testing.T) {
			server := httptest.NewServer(covtool.Record(t, newAnswers(cases)))
			defer server.Close()
			exchangeWith(t, &http.Client{Transport: covtool.Transport(server.Client().Transport)}, c, server.URL)
		})
	}
}

func TestConformanceOfDirectCalls(t *testing.T) {
	cases := readCases(t, "held-streams")
	for _, c := range cases {
		t.Run(c.ID, func(t *testing.T) {
			handler := covtool.Record(t, newAnswers(cases))
			send(t, c, func(n int) {
				defer func() {
					if problem := recover(); (problem != nil) != (c.Exchanges[0].Response == nil) {
						t.Error(problem)
					}
				}()
				wanted := requestOf(c, "", n)
				request := httptest.NewRequest(wanted.Method, wanted.URL.String(), wanted.Body)
				request.Header, request.ContentLength = wanted.Header, wanted.ContentLength
				recorded := httptest.NewRecorder()
				handler.ServeHTTP(recorded, request)
				c.check(t, recorded.Result(), recorded.Body.Bytes())
			})
		})
	}
}

func TestConformanceOfDefaultTransport(t *testing.T) {
	cases := readCases(t)
	covtool.RecordDefaultTransport()
	server := httptest.NewServer(newAnswers(cases))
	defer server.Close()
	for _, c := range cases {
		t.Run(c.ID, func(t *testing.T) { exchangeWith(t, http.DefaultClient, c, server.URL) })
	}
}
