package covtool

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// answer replaces a response while `covtool mutate` runs.
type answer struct {
	StatusCode int         `json:"status_code"`
	Headers    [][2]string `json:"headers"`
	Body       []byte      `json:"body_base64"`
}

// changesURL returns the address to ask for changes. Only `covtool mutate` sets it, to another value for each run, so
// that `go test` doesn't use cached results.
func changesURL() string { return os.Getenv("COVTOOL_CHANGES") }

// asking is a client that ignores proxies and http.DefaultTransport, and leaves no goroutine behind.
var asking = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 30 * time.Second}

// changed returns the replacement for a response; nil if the response stays unchanged.
func changed(asked *line) *answer {
	if asked.Response == nil || asked.Response.Truncated {
		return nil
	}
	data := post("", appendLine(nil, asked))
	var given *answer
	if data == nil || json.Unmarshal(data, &given) != nil {
		return nil
	}
	return given
}

// post returns the body of a response with status 200; nil otherwise.
func post(path string, message []byte) []byte {
	response, err := asking.Post(changesURL()+path, "application/json", bytes.NewReader(message))
	if err != nil {
		return nil // covtool has ended, and nothing is changed any more.
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		return nil
	}
	return data
}

// header returns the header fields of the answer.
func (a *answer) header() http.Header {
	header := http.Header{}
	for _, field := range a.Headers {
		header.Add(field[0], field[1])
	}
	return header
}

// followed holds the tests whose outcome will be reported.
var followed sync.Map

// tellOutcome reports the outcome of a test to covtool, once the test has ended.
func tellOutcome(t Test, test *runningTest) {
	ending, ok := t.(interface {
		Cleanup(func())
		Failed() bool
	})
	if !ok || changesURL() == "" {
		return
	}
	if _, isFollowed := followed.LoadOrStore(t, true); isFollowed {
		return
	}
	ending.Cleanup(func() {
		followed.Delete(t)
		outcome := `,"outcome":"passed"}`
		if ending.Failed() {
			outcome = `,"outcome":"failed"}`
		}
		post("/outcome", append(appendTest([]byte(`{"test":`), test), outcome...))
	})
}

var streamTypes = regexp.MustCompile(
	`(?i)^(text/event-stream|multipart/|application/(stream\+json|(x-|[^;]+\+)?(ndjson|json-?l|json-seq)))`)

// isStream reports whether a response may be endless.
func isStream(response *http.Response) bool {
	return response.StatusCode == http.StatusSwitchingProtocols ||
		response.ContentLength < 0 && streamTypes.MatchString(response.Header.Get("Content-Type"))
}

// replace puts the answer in the place of a response that was read.
func (a *answer) replace(response *http.Response) {
	response.StatusCode = a.StatusCode
	response.Status = strings.TrimSpace(strconv.Itoa(a.StatusCode) + " " + http.StatusText(a.StatusCode))
	response.Header = a.header()
	response.Body = io.NopCloser(bytes.NewReader(a.Body))
	response.ContentLength = int64(len(a.Body))
}
