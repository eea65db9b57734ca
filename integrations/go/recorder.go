package covtool

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
)

const version = "0.1.0"

// defaultBodyLimit is the maximum size of recorded bodies in bytes, unless COVTOOL_BODY_LIMIT is set.
const defaultBodyLimit = 1 << 20

// recorder appends lines to the file of this process.
type recorder struct {
	folder string
	limit  int
	// bodiless is true if response bodies are not wanted.
	bodiless bool

	mutex  sync.Mutex
	path   string
	lines  *linesFile
	open   *linesFile
	opened int
	failed bool
	// encoded is a buffer that is reused for each line.
	encoded []byte
}

var (
	recorders     = map[string]*recorder{}
	recorderMutex sync.Mutex
)

// activeRecorder returns the recorder for the folder in COVTOOL_TRAFFIC, or nil. The variable is read each time, during
// the tests, so that `go test` knows that the result depends on it, and doesn't use a cached one.
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

// guard runs work without disturbing the test: a panic only stops the recorder.
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
func (r *recorder) append(value *line) {
	r.guard(func() {
		r.mutex.Lock()
		defer r.mutex.Unlock()
		if !r.failed {
			r.check(r.lines.append(r.encode(value)))
		}
	})
}

func (r *recorder) encode(value *line) []byte {
	r.encoded = appendLine(r.encoded[:0], value)
	return r.encoded
}

// place is the position of an unfinished exchange's line in its file.
type place struct {
	start  int64
	length int
}

// note writes the line of an unfinished exchange, in case that it never finishes: many tests don't close response
// bodies.
func (r *recorder) note(value *line) (noted place) {
	r.guard(func() {
		r.mutex.Lock()
		defer r.mutex.Unlock()
		if r.failed {
			return
		}
		data := r.encode(value)
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

// forget removes the line that note wrote, once the final line is written.
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

// linesFile is a file to which lines are appended.
type linesFile struct {
	file  *os.File
	first int64
	end   int64
}

// createFile creates a file with the first line of the protocol.
func createFile(path string) (*linesFile, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	created := &linesFile{file: file}
	err = created.append([]byte(`{"covtool":1,"recorder":"go ` + version + `","shows":{}}` + "\n"))
	created.first = created.end
	return created, err
}

func (f *linesFile) append(data []byte) error {
	if _, err := f.file.WriteAt(data, f.end); err != nil {
		// A partial line would corrupt the next one.
		_ = f.file.Truncate(f.end)
		return err
	}
	f.end += int64(len(data))
	return nil
}

// clear removes all lines but the first.
func (f *linesFile) clear() error {
	f.end = f.first
	return f.file.Truncate(f.first)
}

// begin creates the file, so that covtool knows of the recorder before there is any traffic.
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

// check stops recording at the first error and reports it once, if possible to covtool too. The tests go on.
func (r *recorder) check(err error) {
	if err == nil || r.failed {
		return
	}
	r.failed = true
	sentence := fmt.Sprintf("The recorder for Go stopped recording in %s: %v", r.folder, err)
	fmt.Fprintln(os.Stderr, "covtool:", sentence)
	_ = os.WriteFile(r.path+".problems", append(appendText(nil, sentence), '\n'), 0o600)
}
