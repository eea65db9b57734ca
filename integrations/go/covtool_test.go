package covtool_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	covtool "github.com/covtool/covtool/integrations/go"
)

type recordedMessage struct {
	Method     string
	URL        string
	StatusCode int `json:"status_code"`
	Headers    [][2]string
	Body       *string
	Truncated  bool `json:"body_truncated"`
}

type recordedLine struct {
	Request  *recordedMessage
	Response *recordedMessage
	Test     struct {
		Name string
		File string
		Line int
	}
}

// record returns a function that reads the lines recorded since then.
func record(t *testing.T) func() []recordedLine {
	t.Helper()
	folder := t.TempDir()
	t.Setenv("COVTOOL_TRAFFIC", folder)
	return func() (lines []recordedLine) {
		t.Helper()
		files, _ := filepath.Glob(filepath.Join(folder, "*.ndjson"))
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range strings.Split(strings.TrimSpace(string(data)), "\n") {
				var line recordedLine
				if err := json.Unmarshal([]byte(text), &line); err != nil {
					t.Fatalf("%q: %v", text, err)
				}
				if line.Request != nil {
					lines = append(lines, line)
				}
			}
		}
		return lines
	}
}

func hello(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") }

func get(t *testing.T, client *http.Client, url string) string {
	t.Helper()
	response, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func TestWithoutTheVariableEverythingStaysAsItIs(t *testing.T) {
	t.Setenv("COVTOOL_TRAFFIC", "")
	handler := http.NewServeMux()
	if covtool.Record(t, handler) != http.Handler(handler) || covtool.Handler(handler) != http.Handler(handler) {
		t.Error("the handler is another one")
	}
	if covtool.Transport(nil) != http.DefaultTransport || covtool.Client(t, http.DefaultClient) != http.DefaultClient {
		t.Error("the transport or the client is another one")
	}
}

func TestADirectCallIsRecordedUnderTheNameOfItsSubtest(t *testing.T) {
	lines := record(t)
	t.Run("inner", func(t *testing.T) {
		answer := httptest.NewRecorder()
		request := httptest.NewRequest("POST", "/books?a=1", strings.NewReader(`{"title":"Momo"}`))
		body := request.Body
		covtool.Record(t, http.HandlerFunc(hello)).ServeHTTP(answer, request)
		if answer.Body.String() != "hello" || request.Body != body {
			t.Error("the exchange was changed")
		}
	})
	found := lines()
	if len(found) != 1 || found[0].Request.URL != "http://example.com/books?a=1" || *found[0].Request.Body != `{"title":"Momo"}` {
		t.Fatalf("%+v", found)
	}
	test := found[0].Test
	if test.Name != t.Name()+"/inner" || test.File != "covtool_test.go" || test.Line == 0 {
		t.Errorf("%+v", test)
	}
	if headers := found[0].Response.Headers; len(headers) != 1 || headers[0][1] != "text/plain; charset=utf-8" {
		t.Errorf("the type that a server finds out is missing: %v", headers)
	}
}

func TestAPanicReachesTheTest(t *testing.T) {
	lines := record(t)
	wanted := errors.New("broken")
	func() {
		defer func() {
			if problem := recover(); problem != wanted {
				t.Errorf("%v instead of %v", problem, wanted)
			}
		}()
		handler := covtool.Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(wanted) }))
		handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
	}()
	if found := lines(); len(found) != 1 || found[0].Response != nil || found[0].Test.Name != t.Name() {
		t.Errorf("%+v", found)
	}
}

func TestAWriterCanDoWhatItCouldBefore(t *testing.T) {
	lines := record(t)
	abilities := func(w http.ResponseWriter) (all string) {
		if _, ok := w.(http.Flusher); ok {
			all += "flush "
		}
		if _, ok := w.(http.Hijacker); ok {
			all += "hijack "
		}
		if _, ok := w.(http.Pusher); ok {
			all += "push "
		}
		return all
	}
	for _, protocol := range []string{"direct", "HTTP/1.1", "HTTP/2"} {
		var plain, recorded string
		inner := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			recorded = abilities(w)
			if err := http.NewResponseController(w).Flush(); err != nil {
				t.Error(err)
			}
		})
		wrapped := covtool.Record(t, inner)
		handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			plain = abilities(w)
			wrapped.ServeHTTP(w, r)
		})
		if protocol == "direct" {
			handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
		} else {
			server := httptest.NewUnstartedServer(handler)
			server.EnableHTTP2 = protocol == "HTTP/2"
			server.StartTLS()
			get(t, server.Client(), server.URL)
			server.Close()
		}
		if plain == "" || recorded != plain {
			t.Errorf("%s: %q instead of %q", protocol, recorded, plain)
		}
	}
	if found := lines(); len(found) != 3 {
		t.Errorf("%+v", found)
	}
}

func TestABodyThatNobodyReadsOrClosesCostsNoLine(t *testing.T) {
	lines := record(t)
	server := httptest.NewServer(http.HandlerFunc(hello))
	defer server.Close()
	client := covtool.Client(t, server.Client())
	open, err := client.Get(server.URL + "/open")
	if err != nil {
		t.Fatal(err)
	}
	found := lines()
	if len(found) != 1 || found[0].Response.StatusCode != 200 || !found[0].Response.Truncated {
		t.Fatalf("%+v", found)
	}
	if body, err := io.ReadAll(open.Body); string(body) != "hello" || err != nil {
		t.Error(string(body), err)
	}
	open.Body.Close()
	if found = lines(); len(found) != 1 || *found[0].Response.Body != "hello" {
		t.Errorf("%+v", found)
	}
}

func TestRequestsThatShareAConnectionAreRecordedOnceEach(t *testing.T) {
	lines := record(t)
	arrived, answered := make(chan bool), make(chan bool)
	recorded := covtool.Handler(http.HandlerFunc(hello))
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			arrived <- true
			<-answered
		}
		recorded.ServeHTTP(w, r)
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	client := covtool.Client(t, server.Client())
	get(t, client, server.URL+"/first")
	ended := make(chan bool)
	go func() {
		defer close(ended)
		get(t, client, server.URL+"/slow")
	}()
	<-arrived
	get(t, client, server.URL+"/fast")
	answered <- true
	<-ended
	if found := lines(); len(found) != 3 {
		t.Errorf("%+v", found)
	}
}

func TestHeadersAreThoseThatAreSent(t *testing.T) {
	lines := record(t)
	var seen http.Header
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { seen = r.Header.Clone() }))
	defer server.Close()
	get(t, covtool.Client(t, server.Client()), server.URL)
	sent := http.Header{}
	for _, header := range lines()[0].Request.Headers {
		sent.Add(header[0], header[1])
	}
	if sent.Get("Host") != strings.TrimPrefix(server.URL, "http://") {
		t.Errorf("%v", sent)
	}
	for name := range seen {
		if sent.Get(name) != seen.Get(name) {
			t.Errorf("%s: %q instead of %q", name, sent.Get(name), seen.Get(name))
		}
	}
}

func TestTheDefaultTransportStaysItself(t *testing.T) {
	lines := record(t)
	// As at the start of a program, when nothing has been sent yet.
	original := http.DefaultTransport
	defer func() { http.DefaultTransport = original }()
	before := http.RoundTripper(original.(*http.Transport).Clone())
	http.DefaultTransport = before
	covtool.RecordDefaultTransport()
	if http.DefaultTransport != before {
		t.Error("http.DefaultTransport is another one, which programs that clone it don't expect")
	}
	plain := httptest.NewServer(http.HandlerFunc(hello))
	defer plain.Close()
	secure := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, r.Proto)
	}))
	secure.EnableHTTP2 = true
	secure.StartTLS()
	defer secure.Close()
	transport := before.(*http.Transport)
	transport.TLSClientConfig = secure.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
	defer transport.CloseIdleConnections()
	if body := get(t, http.DefaultClient, plain.URL); body != "hello" {
		t.Error(body)
	}
	if body := get(t, http.DefaultClient, secure.URL); body != "HTTP/2.0" {
		t.Error(body)
	}
	found := lines()
	if len(found) != 2 || found[1].Request.URL != secure.URL || found[1].Test.Name != t.Name() {
		t.Errorf("%+v", found)
	}
}

func TestAnUpgradedConnectionCanBeWrittenTo(t *testing.T) {
	lines := record(t)
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		connection, buffered, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer connection.Close()
		_, _ = io.WriteString(connection, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n")
		text, _ := buffered.ReadString('\n')
		_, _ = io.WriteString(connection, text)
	})
	server := httptest.NewServer(covtool.Record(t, handler))
	defer server.Close()
	request, _ := http.NewRequest("GET", server.URL, nil)
	request.Header.Set("Connection", "Upgrade")
	request.Header.Set("Upgrade", "echo")
	response, err := covtool.Client(t, server.Client()).Do(request)
	if err != nil {
		t.Fatal(err)
	}
	connection := response.Body.(io.ReadWriteCloser)
	defer connection.Close()
	_, _ = io.WriteString(connection, "hello\n")
	if text, _ := bufio.NewReader(connection).ReadString('\n'); text != "hello\n" {
		t.Errorf("%q", text)
	}
	if found := lines(); len(found) != 1 || found[0].Response.StatusCode != 101 {
		t.Errorf("%+v", found)
	}
}

func TestAStreamWithoutAnEndIsNotHeldBack(t *testing.T) {
	record(t)
	t.Setenv("COVTOOL_CHANGES", "http://127.0.0.1:9/key")
	handler := func(w http.ResponseWriter, request *http.Request) {
		w.Header().Set("Content-Type", request.URL.Query().Get("type"))
		_, _ = io.WriteString(w, "[")
		w.(http.Flusher).Flush()
		<-request.Context().Done()
	}
	server := httptest.NewServer(http.HandlerFunc(handler))
	defer server.Close()
	client := covtool.Client(t, &http.Client{Timeout: 2 * time.Second})
	for _, kind := range []string{"Text/Event-Stream", "application/x-json-lines", "application/geo%2Bjson-seq"} {
		started := time.Now()
		response, err := client.Get(server.URL + "?type=" + kind)
		if err != nil {
			t.Fatal(kind, err)
		}
		if _, err := response.Body.Read(make([]byte, 1)); err != nil || time.Since(started) > client.Timeout {
			t.Error(kind, err)
		}
		_ = response.Body.Close()
	}
}

func TestAnErrorOfTheClientStaysTheSame(t *testing.T) {
	lines := record(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := "http://" + listener.Addr().String()
	listener.Close()
	_, plain := http.Get(address)
	_, recorded := covtool.Client(t, http.DefaultClient).Get(address)
	if plain == nil || recorded == nil || plain.Error() != recorded.Error() {
		t.Errorf("%v instead of %v", recorded, plain)
	}
	if found := lines(); len(found) != 0 {
		t.Errorf("what never left is recorded: %+v", found)
	}
}

func TestAFolderThatCannotBeWrittenFailsNoTest(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("COVTOOL_TRAFFIC", filepath.Join(file, "folder"))
	stderr := os.Stderr
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	os.Stderr = writer
	handler := covtool.Record(t, http.HandlerFunc(hello))
	for range 2 {
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, httptest.NewRequest("GET", "/", nil))
		if answer.Body.String() != "hello" {
			t.Error(answer.Body.String())
		}
	}
	os.Stderr = stderr
	writer.Close()
	said, _ := io.ReadAll(reader)
	if text := string(said); strings.Count(text, "\n") != 1 || !strings.Contains(text, "stopped recording in "+file) {
		t.Errorf("%q", text)
	}
}
