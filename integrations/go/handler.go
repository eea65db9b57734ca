package covtool

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// maxDrained is the number of bytes of a request body that net/http itself reads if a handler hasn't.
const maxDrained = 256 << 10

type recordedHandler struct {
	handler http.Handler
	test    *runningTest
}

// serverHeaders says that a server adds header fields after the handler.
const serverHeaders = `"response_headers":{"all_but":["connection","content-length","date","transfer-encoding"]}`

// clientConnections holds the requests that recorded transports in this process are sending, by the local address of
// the connection, which those of HTTP/2 share: a server in this process must not record them again.
var clientConnections = struct {
	sync.Mutex
	sending map[string][]*exchange
}{sending: map[string][]*exchange{}}

// isSent reports whether a recorded transport sends a request through the connection. The handler's test, if it has
// one, is that of the request.
func (h *recordedHandler) isSent(address string) bool {
	clientConnections.Lock()
	defer clientConnections.Unlock()
	found := clientConnections.sending[address]
	for _, sent := range found {
		if h.test != nil {
			sent.handlerTest.Store(h.test)
		}
	}
	return len(found) > 0
}

func (h *recordedHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	recorder := activeRecorder()
	if recorder == nil || isRecorded(w, r) || h.isSent(r.RemoteAddr) {
		h.handler.ServeHTTP(w, r)
		return
	}
	test := h.test
	if test == nil {
		test = currentTest("")
	}
	// The request is copied first, since a handler may change it.
	start := time.Now()
	noted := line{
		Request: message{
			Method:  r.Method,
			URL:     serverURL(r),
			Headers: headerPairs(r.Header, r.Host),
		},
		Start: start,
		Test:  test,
	}
	if noted.Request.Method == "" {
		noted.Request.Method = http.MethodGet
	}
	sent := &capture{limit: recorder.limit}
	length := r.ContentLength
	hasBody := r.Body != nil && r.Body != http.NoBody
	original := r.Body
	if hasBody {
		r.Body = &capturedBody{original, sent}
	} else {
		sent.ended = true
	}
	writer := &recordedWriter{ResponseWriter: w, body: &capture{limit: recorder.limit}, isHeld: changesURL() != ""}
	finished := false
	// Deferred, without recover(): a panic continues with its own stack.
	defer func() {
		recorder.guard(func() {
			if hasBody {
				drain(r, sent, length)
				if body, ok := r.Body.(*capturedBody); ok && body.captured == sent {
					r.Body = original
				}
			}
			if hasBody || r.ContentLength > 0 {
				noted.Request.setBody(sent.whole(length))
			}
			writer.finish(recorder, &noted, r.Method, finished, time.Since(start))
			recorder.append(&noted)
			if writer.isHeld && finished {
				writer.change(changed(&noted))
			}
		})
		writer.release()
	}()
	h.handler.ServeHTTP(writer.as(w), r)
	finished = true
}

// isRecorded reports whether an outer handler records the request already.
func isRecorded(w http.ResponseWriter, r *http.Request) bool {
	if _, ok := w.(interface{ recordedByCovtool() }); ok {
		return true
	}
	_, ok := r.Body.(*capturedBody)
	return ok && r.RequestURI != ""
}

// serverURL returns the URL that a client asked for.
func serverURL(r *http.Request) string {
	target := r.RequestURI
	if target == "" && r.URL != nil {
		target = r.URL.RequestURI()
	}
	if r.Host == "" || !strings.HasPrefix(target, "/") {
		return target
	}
	if r.TLS != nil {
		return "https://" + r.Host + target
	}
	return "http://" + r.Host + target
}

// drain reads the rest of the body if that takes no time and changes nothing: a server would read it now anyway, and
// the body of a request that a test made is in memory.
func drain(r *http.Request, sent *capture, length int64) {
	rest := sent.remaining(length)
	if rest > 0 && rest <= maxDrained && r.ProtoMajor < 2 && r.Header.Get("Expect") == "" {
		if body, ok := r.Body.(*capturedBody); ok && body.captured == sent {
			_, _ = io.CopyN(io.Discard, body, rest)
		}
	}
}

// recordedWriter copies the response of a handler.
type recordedWriter struct {
	http.ResponseWriter
	body     *capture
	mutex    sync.Mutex
	status   int
	header   http.Header
	hijacked atomic.Bool
	// isHeld is true while the response is held back (in held), since covtool may change it.
	isHeld bool
	held   []byte
}

func (w *recordedWriter) recordedByCovtool() {}

// Unwrap is called by http.ResponseController.
func (w *recordedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *recordedWriter) begin(status int) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.status == 0 {
		w.status = status
		w.header = w.ResponseWriter.Header().Clone()
	}
}

func (w *recordedWriter) WriteHeader(status int) {
	// Statuses below 200 are not the response yet, except for 101.
	if status >= 200 || status == http.StatusSwitchingProtocols {
		w.begin(status)
		if w.isHeld {
			return
		}
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *recordedWriter) Write(data []byte) (int, error) {
	w.begin(http.StatusOK)
	if w.isHeld {
		w.body.add(data)
		w.held = append(w.held, data...)
		return len(data), nil
	}
	n, err := w.ResponseWriter.Write(data)
	w.body.add(data[:max(n, 0)])
	return n, err
}

// change replaces the held response by an answer of covtool.
func (w *recordedWriter) change(given *answer) {
	if given != nil {
		w.status, w.header, w.held = given.StatusCode, given.header(), given.Body
	}
}

// release sends the held response, and stops holding it.
func (w *recordedWriter) release() {
	if !w.isHeld {
		return
	}
	w.isHeld = false
	if w.status == 0 {
		return
	}
	// The header fields from the start of the response; fields set later are trailers.
	header := w.ResponseWriter.Header()
	trailers := header.Clone()
	replaceHeader(header, w.header)
	w.ResponseWriter.WriteHeader(w.status)
	if len(w.held) > 0 {
		_, _ = w.ResponseWriter.Write(w.held)
	}
	replaceHeader(header, trailers)
}

func replaceHeader(header, with http.Header) {
	clear(header)
	for name, values := range with {
		header[name] = values
	}
}

func (w *recordedWriter) finish(recorder *recorder, noted *line, method string, finished bool, elapsed time.Duration) {
	if w.hijacked.Load() {
		noted.Unseen = `"status":false`
		return
	}
	if finished {
		w.begin(http.StatusOK)
	}
	if w.status == 0 {
		return // The handler panicked before it responded.
	}
	w.body.ended = true
	body, whole := w.body.whole(-1)
	// A server detects the content type if the handler doesn't set it, and sends no body if there can be none.
	bodiless := method == http.MethodHead || w.status == http.StatusNoContent || w.status == http.StatusNotModified
	_, hasType := w.header["Content-Type"]
	if !hasType && !bodiless && whole && len(body) > 0 && w.header.Get("Content-Encoding") == "" {
		w.header.Set("Content-Type", http.DetectContentType(body))
	}
	noted.Response = &message{
		StatusCode: w.status,
		Elapsed:    elapsed,
		Headers:    headerPairs(w.header, ""),
	}
	if bodiless {
		body = nil
	}
	if !recorder.bodiless {
		noted.Response.setBody(body, whole && finished)
	}
	noted.Unseen = serverHeaders
}

type flusher struct{ w *recordedWriter }

func (f flusher) Flush() {
	f.w.begin(http.StatusOK)
	// The test may have read the response already, so it can't be changed any more.
	f.w.release()
	f.w.ResponseWriter.(http.Flusher).Flush()
}

type hijacker struct{ w *recordedWriter }

func (h hijacker) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	h.w.release()
	connection, buffered, err := h.w.ResponseWriter.(http.Hijacker).Hijack()
	if err == nil {
		h.w.hijacked.Store(true)
	}
	return connection, buffered, err
}

// as returns a writer with exactly the optional interfaces of the original: handlers check for them.
func (w *recordedWriter) as(original http.ResponseWriter) http.ResponseWriter {
	type closeNotifier = http.CloseNotifier //lint:ignore SA1019 Handlers still ask for it.
	_, canFlush := original.(http.Flusher)
	_, canHijack := original.(http.Hijacker)
	pusher, canPush := original.(http.Pusher)
	notifier, canNotify := original.(closeNotifier)
	f, h := flusher{w}, hijacker{w}
	switch {
	case canFlush && canHijack && canNotify:
		return struct {
			*recordedWriter
			flusher
			hijacker
			closeNotifier
		}{w, f, h, notifier}
	case canFlush && canPush && canNotify:
		return struct {
			*recordedWriter
			flusher
			http.Pusher
			closeNotifier
		}{w, f, pusher, notifier}
	case canFlush && canHijack:
		return struct {
			*recordedWriter
			flusher
			hijacker
		}{w, f, h}
	case canFlush && canPush:
		return struct {
			*recordedWriter
			flusher
			http.Pusher
		}{w, f, pusher}
	case canFlush && canNotify:
		return struct {
			*recordedWriter
			flusher
			closeNotifier
		}{w, f, notifier}
	case canFlush:
		return struct {
			*recordedWriter
			flusher
		}{w, f}
	case canHijack:
		return struct {
			*recordedWriter
			hijacker
		}{w, h}
	default:
		return w
	}
}
