package covtool

import (
	"net/http"
	"reflect"
	"sync"
)

// RecordDefaultTransport records what is sent through [http.DefaultTransport] from now on. Importing the package auto
// calls it.
//
// The variable keeps its value and its type, *http.Transport, since programs clone it and change its fields.
func RecordDefaultTransport() {
	transport, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		if activeRecorder() != nil {
			http.DefaultTransport = &recordedTransport{http.DefaultTransport, nil}
		}
		return
	}
	register(transport, "http", &defaultHTTP{transport})
	if activeRecorder() != nil {
		register(transport, "https", defaultHTTPS{&clonedTransport{original: transport}})
	}
}

func register(transport *http.Transport, scheme string, with http.RoundTripper) {
	// RegisterProtocol panics if the scheme has a transport already, which then stays.
	defer func() { _ = recover() }()
	transport.RegisterProtocol(scheme, with)
}

// defaultHTTP gets every http:// request before the transport itself does.
type defaultHTTP struct{ transport *http.Transport }

func (t *defaultHTTP) RoundTrip(request *http.Request) (*http.Response, error) {
	recorder := activeRecorder()
	if recorder == nil || request.Context().Value(recordedKey{}) != nil {
		return nil, http.ErrSkipAltProtocol
	}
	return roundTrip(recorder, t.transport, request, currentTest(""))
}

// defaultHTTPS gets every https:// request. A transport with a registered https protocol doesn't set up HTTP/2, so a
// clone of the transport sends the requests. http.Transport looks for such a field when it closes idle connections.
type defaultHTTPS struct{ Transport *clonedTransport }

func (t defaultHTTPS) RoundTrip(request *http.Request) (*http.Response, error) {
	clone := t.Transport.current()
	recorder := activeRecorder()
	if recorder == nil || request.Context().Value(recordedKey{}) != nil {
		return clone.RoundTrip(request)
	}
	return roundTrip(recorder, clone, request, currentTest(""))
}

// clonedTransport keeps a clone of a transport, and makes a new one when a field has changed.
type clonedTransport struct {
	original *http.Transport
	mutex    sync.Mutex
	clone    *http.Transport
	fields   []any
}

func (t *clonedTransport) current() *http.Transport {
	fields := fieldValues(t.original)
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.clone == nil || !reflect.DeepEqual(fields, t.fields) {
		t.clone, t.fields = t.original.Clone(), fields
	}
	return t.clone
}

// CloseIdleConnections closes the clone's connections when those of the original are closed.
func (t *clonedTransport) CloseIdleConnections() {
	t.mutex.Lock()
	clone := t.clone
	t.mutex.Unlock()
	if clone != nil {
		clone.CloseIdleConnections()
	}
}

// fieldValues returns the exported fields of a transport, with references as addresses.
func fieldValues(transport *http.Transport) []any {
	value := reflect.ValueOf(transport).Elem()
	fields := make([]any, 0, value.NumField())
	for index := range value.NumField() {
		if !value.Type().Field(index).IsExported() {
			continue
		}
		switch field := value.Field(index); field.Kind() {
		case reflect.Func, reflect.Map, reflect.Pointer:
			fields = append(fields, field.Pointer())
		default:
			fields = append(fields, field.Interface())
		}
	}
	return fields
}
