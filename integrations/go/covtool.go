// Package covtool records the HTTP traffic of tests, for covtool to measure how much of an API they exercise.
//
// It records where `covtool run openapi.yaml -- go test ./...` runs the tests, which names a folder in the variable
// COVTOOL_TRAFFIC. Without that variable, every function returns what it was given.
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
// Recording never changes what a test sees. Where it fails, it prints one line on standard error.
package covtool

import "net/http"

// Test is the part of *testing.T, *testing.B and *testing.F that this package needs.
type Test interface {
	Name() string
}

// Record returns a handler that records what handler is asked and answers, under the name of the test. The handler may
// be called directly, with an httptest.ResponseRecorder, or serve an httptest.Server.
func Record(t Test, handler http.Handler) http.Handler {
	if activeRecorder() == nil {
		return handler
	}
	test := currentTest(t.Name())
	tellOutcome(t, test)
	return &recordedHandler{handler, test}
}

// Handler is as [Record] where no test is at hand, say because all tests share a server. The name of the test is
// recorded where the test calls the handler directly.
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

// Client returns a copy of client, say of server.Client(), that records what it sends under the name of the test.
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
