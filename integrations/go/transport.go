package covtool

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptrace"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing/iotest"
	"time"
)

type recordedTransport struct {
	base http.RoundTripper
	test *runningTest
}

func (t *recordedTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	recorder := activeRecorder()
	if recorder == nil || request.URL == nil || request.Context().Value(recordedKey{}) != nil {
		return t.base.RoundTrip(request)
	}
	test := t.test
	if test == nil {
		test = currentTest("")
	}
	return roundTrip(recorder, t.base, request, test)
}

// CloseIdleConnections is called by the method of that name of http.Client.
func (t *recordedTransport) CloseIdleConnections() {
	if closer, ok := t.base.(interface{ CloseIdleConnections() }); ok {
		closer.CloseIdleConnections()
	}
}

// recordedKey marks the context of requests that an outer transport records already.
type recordedKey struct{}

// exchange is a pending request, and what is known about it.
type exchange struct {
	recorder    *recorder
	start       time.Time
	method, url string
	test        *runningTest
	handlerTest atomic.Pointer[runningTest]
	hasBody     bool
	length      int64
	sent        capture

	mutex      sync.Mutex
	headers    [][2]string
	wrote      bool
	connection string
}

func roundTrip(recorder *recorder, base http.RoundTripper, request *http.Request, test *runningTest) (*http.Response, error) {
	noted := &exchange{
		recorder: recorder,
		start:    time.Now(),
		method:   request.Method,
		test:     test,
		hasBody:  request.Body != nil && request.Body != http.NoBody,
		length:   request.ContentLength,
		sent:     capture{limit: recorder.limit},
	}
	if noted.method == "" {
		noted.method = http.MethodGet
	}
	if noted.length == 0 {
		noted.length = -1 // With a body, 0 means that the length is unknown.
	}
	plain := *request.URL
	plain.User, plain.Fragment, plain.RawFragment = nil, "", ""
	noted.url = plain.String()

	traced := request.WithContext(httptrace.WithClientTrace(
		context.WithValue(request.Context(), recordedKey{}, true), noted.trace()))
	if noted.hasBody {
		traced.Body = &capturedBody{request.Body, &noted.sent}
		if request.GetBody != nil {
			traced.GetBody = func() (io.ReadCloser, error) {
				again, err := request.GetBody()
				if err != nil {
					return nil, err
				}
				noted.sent.reset()
				return &capturedBody{again, &noted.sent}, nil
			}
		}
	}
	response, err := base.RoundTrip(traced)
	if err == http.ErrSkipAltProtocol {
		return response, err
	}
	if response == nil || err != nil {
		noted.leave()
		// A request that was never sent isn't recorded.
		if noted.isWritten() {
			recorder.append(noted.line(request.Header, request.Host, nil))
		}
		return response, err
	}
	if response.Request == traced {
		response.Request = request
	}
	noted.receive(request, response)
	return response, err
}

func (e *exchange) trace() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		// Called again for another attempt, if a kept-alive connection turned out to be closed.
		GetConn: func(string) {
			e.mutex.Lock()
			e.headers = nil
			e.mutex.Unlock()
		},
		GotConn: func(info httptrace.GotConnInfo) {
			if address := info.Conn.LocalAddr(); address != nil && strings.Contains(address.String(), ":") {
				e.leave()
				e.mutex.Lock()
				defer e.mutex.Unlock()
				e.connection = address.String()
				clientConnections.Lock()
				clientConnections.sending[e.connection] = append(clientConnections.sending[e.connection], e)
				clientConnections.Unlock()
			}
		},
		WroteHeaderField: func(name string, values []string) {
			if strings.HasPrefix(name, ":") {
				return
			}
			e.mutex.Lock()
			for _, value := range values {
				e.headers = append(e.headers, [2]string{name, value})
			}
			e.mutex.Unlock()
		},
		WroteRequest: func(info httptrace.WroteRequestInfo) {
			e.mutex.Lock()
			e.wrote = info.Err == nil
			e.mutex.Unlock()
		},
	}
}

func (e *exchange) isWritten() bool {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	return e.wrote
}

// leave releases the connection for other exchanges.
func (e *exchange) leave() {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.connection == "" {
		return
	}
	clientConnections.Lock()
	defer clientConnections.Unlock()
	others := slices.DeleteFunc(clientConnections.sending[e.connection], func(one *exchange) bool { return one == e })
	clientConnections.sending[e.connection] = others
	if len(others) == 0 {
		delete(clientConnections.sending, e.connection)
	}
}

func (e *exchange) line(header http.Header, host string, response *message) *line {
	e.mutex.Lock()
	headers := e.headers
	e.mutex.Unlock()
	// Transports other than net/http's own don't report the header fields that they send.
	if len(headers) == 0 {
		headers = headerPairs(header, host)
	}
	test := e.test
	if named := e.handlerTest.Load(); named != nil {
		test = named
	}
	noted := &line{
		Request:  message{Method: e.method, URL: e.url, Headers: headers},
		Response: response,
		Start:    e.start,
		Test:     test,
	}
	if e.hasBody {
		noted.Request.setBody(e.sent.whole(e.length))
	}
	return noted
}

// receive records a response at the end of its body.
func (e *exchange) receive(request *http.Request, response *http.Response) {
	e.recorder.guard(func() {
		answer := message{
			StatusCode: response.StatusCode,
			Headers:    headerPairs(response.Header, ""),
		}
		header, host := request.Header.Clone(), request.Host
		finish := func(body []byte, whole bool) *line {
			e.leave()
			ended := answer
			ended.Elapsed = time.Since(e.start)
			if !e.recorder.bodiless {
				ended.setBody(body, whole)
			}
			return e.line(header, host, &ended)
		}
		if changesURL() != "" && !isStream(response) {
			e.change(response, finish)
			return
		}
		// After an upgrade, the body must stay writable; an empty one has ended.
		if response.StatusCode == http.StatusSwitchingProtocols || response.Body == nil || response.Body == http.NoBody {
			e.recorder.append(finish(nil, true))
			return
		}
		body := &receivedBody{
			ReadCloser: response.Body,
			body:       capture{limit: e.recorder.limit},
			length:     response.ContentLength,
		}
		if request.Method == http.MethodHead {
			body.length = 0
		}
		// Writes a line in case that the test never reads or closes the body, or the process ends early.
		noted := e.recorder.note(func() *line {
			ended := answer
			ended.Elapsed = time.Since(e.start)
			ended.Truncated = true
			return e.line(header, host, &ended)
		}())
		body.finish = func() {
			e.recorder.guard(func() {
				e.recorder.append(finish(body.body.whole(body.length)))
				e.recorder.forget(noted)
			})
		}
		response.Body = body
	})
}

// change reads a response, and replaces it if `covtool mutate` asks for it.
func (e *exchange) change(response *http.Response, finish func(body []byte, whole bool) *line) {
	data, err := io.ReadAll(response.Body)
	_ = response.Body.Close()
	response.Body = io.NopCloser(bytes.NewReader(data))
	if err != nil {
		response.Body = io.NopCloser(io.MultiReader(bytes.NewReader(data), iotest.ErrReader(err)))
	}
	noted := finish(data, err == nil && len(data) <= e.recorder.limit)
	e.recorder.append(noted)
	if given := changed(noted); given != nil {
		given.replace(response)
	}
}

// receivedBody is the body of a response, which is recorded when it ends or is closed.
type receivedBody struct {
	io.ReadCloser
	body   capture
	length int64
	once   sync.Once
	finish func()
}

func (b *receivedBody) Read(buffer []byte) (int, error) {
	n, err := b.ReadCloser.Read(buffer)
	b.body.add(buffer[:max(n, 0)])
	if err != nil {
		if err == io.EOF {
			b.body.end()
		}
		b.once.Do(b.finish)
	}
	return n, err
}

func (b *receivedBody) Close() error {
	b.once.Do(b.finish)
	return b.ReadCloser.Close()
}
