package covtool

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

const version = "0.1.0"

// defaultBodyLimit is how many bytes of a body are recorded where COVTOOL_BODY_LIMIT doesn't say.
const defaultBodyLimit = 1 << 20

type line struct {
	Request    message      `json:"request"`
	Response   *message     `json:"response,omitempty"`
	Timestamp  float64      `json:"timestamp"`
	Test       *runningTest `json:"test,omitempty"`
	Visibility *visibility  `json:"visibility,omitempty"`
}

type visibility struct {
	Status          *bool    `json:"status,omitempty"`
	ResponseHeaders *allButs `json:"response_headers,omitempty"`
}

type allButs struct {
	AllBut []string `json:"all_but"`
}

// message is a request or a response.
type message struct {
	Method     string      `json:"method,omitempty"`
	URL        string      `json:"url,omitempty"`
	StatusCode int         `json:"status_code,omitempty"`
	Elapsed    float64     `json:"elapsed,omitempty"`
	Headers    [][2]string `json:"headers"`
	Body       *string     `json:"body,omitempty"`
	Base64     []byte      `json:"body_base64,omitempty"`
	Truncated  bool        `json:"body_truncated,omitempty"`
}

// setBody adds what was captured; whole is false where the end of the body was not seen.
func (m *message) setBody(body []byte, whole bool) {
	switch {
	case !whole:
		m.Truncated = true
	case isText(body, m.Headers):
		text := string(body)
		m.Body = &text
	default:
		m.Base64 = body
	}
}

// isText reports whether a body can be written as text without a loss.
func isText(body []byte, headers [][2]string) bool {
	if !utf8.Valid(body) || bytes.IndexByte(body, 0) >= 0 || bytes.HasPrefix(body, []byte("\xef\xbb\xbf")) {
		return false
	}
	for _, header := range headers {
		switch strings.ToLower(header[0]) {
		case "content-encoding":
			return len(body) == 0
		case "content-type":
			if header[1] == "application/json" {
				continue // to parse the type would take longer than all else
			}
			kind, parameters, err := mime.ParseMediaType(header[1])
			charset := strings.ToLower(parameters["charset"])
			if err != nil || strings.HasPrefix(kind, "multipart/") || charset != "" && charset != "utf-8" {
				return len(body) == 0
			}
		}
	}
	return true
}

// headerPairs lists the fields of a header by name, with the host first where there is one.
func headerPairs(header http.Header, host string) [][2]string {
	pairs := make([][2]string, 0, len(header)+1)
	if host != "" && len(header["Host"]) == 0 {
		pairs = append(pairs, [2]string{"Host", host})
	}
	names := make([]string, 0, len(header))
	for name := range header {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		for _, value := range header[name] {
			pairs = append(pairs, [2]string{name, value})
		}
	}
	return pairs
}

func seconds(t time.Time) float64 { return float64(t.UnixMicro()) / 1e6 }

// recorder appends lines to the file of this process.
type recorder struct {
	folder string
	limit  int
	// bodiless is true where nobody wants the bodies of responses.
	bodiless bool

	mutex  sync.Mutex
	path   string
	lines  *linesFile
	open   *linesFile
	opened int
	failed bool
}

var (
	recorders     = map[string]*recorder{}
	recorderMutex sync.Mutex
)

// activeRecorder returns the recorder for the folder in COVTOOL_TRAFFIC, or nil. The variable is read each time, within
// the tests: so `go test` knows that their result depends on it, and doesn't take an older one from its cache.
func activeRecorder() *recorder {
	folder := os.Getenv("COVTOOL_TRAFFIC")
	if folder == "" {
		return nil
	}
	recorderMutex.Lock()
	defer recorderMutex.Unlock()
	found := recorders[folder]
	if found == nil {
		limit, err := strconv.Atoi(os.Getenv("COVTOOL_BODY_LIMIT"))
		if err != nil || limit < 0 {
			limit = defaultBodyLimit
		}
		// Tests may change the working directory later.
		absolute, err := filepath.Abs(folder)
		if err != nil {
			absolute = folder
		}
		found = &recorder{folder: absolute, limit: limit}
		_, err = os.Stat(filepath.Join(absolute, "no-response-bodies"))
		found.bodiless = err == nil
		recorders[folder] = found
		found.guard(found.begin)
	}
	return found
}

// guard runs work, which must not disturb a test: a panic is a failure of the recorder.
func (r *recorder) guard(work func()) {
	defer func() {
		if problem := recover(); problem != nil {
			r.mutex.Lock()
			defer r.mutex.Unlock()
			r.check(fmt.Errorf("%v", problem))
		}
	}()
	work()
}

// append writes the line of an exchange that is over.
func (r *recorder) append(value line) {
	r.guard(func() {
		data := encode(value)
		r.mutex.Lock()
		defer r.mutex.Unlock()
		if !r.failed {
			r.check(r.lines.append(data))
		}
	})
}

// place is where the line of an exchange that isn't over stands in its file.
type place struct {
	start  int64
	length int
}

// note writes the line of an exchange that isn't over, for the case that it never will be: many tests leave the bodies
// of responses open.
func (r *recorder) note(value line) (noted place) {
	r.guard(func() {
		data := encode(value)
		r.mutex.Lock()
		defer r.mutex.Unlock()
		if r.failed {
			return
		}
		if r.open == nil {
			var err error
			if r.open, err = createFile(r.path + "0.ndjson"); err != nil {
				r.check(err)
				return
			}
		}
		noted = place{r.open.end, len(data)}
		r.check(r.open.append(data))
		r.opened++
	})
	return noted
}

// forget removes what note wrote, once the whole line is there.
func (r *recorder) forget(noted place) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.failed || noted.length == 0 {
		return
	}
	r.opened--
	if r.opened == 0 {
		r.check(r.open.clear())
		return
	}
	_, err := r.open.file.WriteAt(bytes.Repeat([]byte(" "), noted.length-1), noted.start)
	r.check(err)
}

func encode(value any) []byte {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return append(data, '\n')
}

// linesFile is a file that grows by lines.
type linesFile struct {
	file  *os.File
	first int64
	end   int64
}

// createFile makes a file with the first line of the protocol.
func createFile(path string) (*linesFile, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	created := &linesFile{file: file}
	err = created.append(encode(map[string]any{"covtool": 1, "recorder": "go " + version, "shows": map[string]any{}}))
	created.first = created.end
	return created, err
}

func (f *linesFile) append(data []byte) error {
	if _, err := f.file.WriteAt(data, f.end); err != nil {
		// Half a line would spoil the next one.
		_ = f.file.Truncate(f.end)
		return err
	}
	f.end += int64(len(data))
	return nil
}

// clear leaves the first line only.
func (f *linesFile) clear() error {
	f.end = f.first
	return f.file.Truncate(f.first)
}

// begin makes the file, so that covtool knows of the recorder before there is any traffic.
func (r *recorder) begin() {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	random := make([]byte, 6)
	_, _ = rand.Read(random)
	r.path = filepath.Join(r.folder, fmt.Sprintf("traffic-%d-%s", os.Getpid(), hex.EncodeToString(random)))
	err := os.MkdirAll(r.folder, 0o700)
	if err == nil {
		r.lines, err = createFile(r.path + ".ndjson")
	}
	r.check(err)
}

// check says once that recording does not work, to covtool too if possible. The tests go on, and nothing more is recorded.
func (r *recorder) check(err error) {
	if err == nil || r.failed {
		return
	}
	r.failed = true
	sentence := fmt.Sprintf("The recorder for Go stopped recording in %s: %v", r.folder, err)
	fmt.Fprintln(os.Stderr, "covtool:", sentence)
	_ = os.WriteFile(r.path+".problems", encode(sentence), 0o600)
}
