// Package covtool records the HTTP traffic of tests, for covtool to measure how much of an API they exercise.
//
// It records if `covtool run openapi.yaml -- go test ./...` runs the tests: covtool then names a folder in the variable
// COVTOOL_TRAFFIC. Without that variable, every function returns its argument unchanged.
//
//	func TestBooks(t *testing.T) {
//		server := httptest.NewServer(covtool.Record(t, newHandler()))
//		…
//	}
//
// Tests whose clients use [http.DefaultTransport], as http.Get does, need one import in any of their files:
//
//	import _ "github.com/covtool/covtool/integrations/go/auto"
//
// Recording never changes what a test sees. If it fails, it prints one line to standard error.
package covtool

import "net/http"

// Test is the part of *testing.T, *testing.B and *testing.F that this package needs.
type Test interface {
	Name() string
}

// Record returns a handler that records handler's requests and responses, under the name of the test. The handler may
// be called directly, with an httptest.ResponseRecorder, or serve an httptest.Server.
func Record(t Test, handler http.Handler) http.Handler {
	if activeRecorder() == nil {
		return handler
	}
	test := currentTest(t.Name())
	tellOutcome(t, test)
	return &recordedHandler{handler, test}
}

// Handler is [Record] for code that has no test at hand, such as a server that all tests share. The name of the test
// is recorded if the test calls the handler directly.
func Handler(handler http.Handler) http.Handler {
	if activeRecorder() == nil {
		return handler
	}
	return &recordedHandler{handler, nil}
}

// Transport returns a transport that records what is sent through base; nil stands for [http.DefaultTransport]. The
// name of the test is that of the test function that sends the request.
func Transport(base http.RoundTripper) http.RoundTripper {
	if base == nil {
		base = http.DefaultTransport
	}
	if activeRecorder() == nil {
		return base
	}
	return &recordedTransport{base, nil}
}

// Client returns a copy of client, such as server.Client(), that records what it sends under the name of the test.
func Client(t Test, client *http.Client) *http.Client {
	if activeRecorder() == nil {
		return client
	}
	base := client.Transport
	if base == nil {
		base = http.DefaultTransport
	}
	recorded := *client
	test := currentTest(t.Name())
	tellOutcome(t, test)
	recorded.Transport = &recordedTransport{base, test}
	return &recorded
}
