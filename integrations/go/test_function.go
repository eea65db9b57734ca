package covtool

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

// runningTest is the test that sends a request.
type runningTest struct {
	Name string `json:"name"`
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
}

var callerPool = sync.Pool{New: func() any { return new([256]uintptr) }}

// currentTest returns the test whose goroutine calls it, under the given name, which is more exact, unless it is empty;
// nil if neither is known.
func currentTest(name string) *runningTest {
	callers := callerPool.Get().(*[256]uintptr)
	defer callerPool.Put(callers)
	frames := runtime.CallersFrames(callers[:runtime.Callers(2, callers[:])])
	var found *runningTest
	for {
		frame, more := frames.Next()
		if frame.Function == "testing.tRunner" {
			break
		}
		// The outermost function counts. In pkg.TestBooks.func1 (a subtest) and pkg.(*Suite).TestBooks, it is TestBooks.
		if function := testInName(frame.Function); function != "" {
			found = &runningTest{Name: function, File: fileFromModule(frame.File)}
			if frame.Func != nil {
				_, found.Line = frame.Func.FileLine(frame.Func.Entry())
			}
		}
		if !more {
			found = nil // Not the goroutine of a test.
			break
		}
	}
	if name != "" {
		if found == nil {
			found = &runningTest{}
		}
		found.Name = name
	}
	return found
}

func testInName(function string) string {
	_, rest, _ := strings.Cut(function[strings.LastIndex(function, "/")+1:], ".")
	for rest != "" {
		var part string
		part, rest, _ = strings.Cut(rest, ".")
		for _, prefix := range []string{"Test", "Benchmark", "Fuzz"} {
			if strings.HasPrefix(part, prefix) {
				return part
			}
		}
	}
	return ""
}

// fileFromModule returns the path of a file from the root of the module, where `go test ./...` is called; "" if it
// is elsewhere.
func fileFromModule(file string) string {
	relative, err := filepath.Rel(moduleRoot(), filepath.FromSlash(file))
	if err != nil || strings.HasPrefix(relative, "..") {
		return ""
	}
	return filepath.ToSlash(relative)
}

// moduleRoot is the folder with go.mod, searched upwards from the folder of the package, in which tests start.
var moduleRoot = sync.OnceValue(func() string {
	start, err := os.Getwd()
	if err != nil {
		return ""
	}
	for folder := start; ; folder = filepath.Dir(folder) {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder
		}
		if folder == filepath.Dir(folder) {
			return start
		}
	}
})
