//go:build unix

package covtool_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	covtool "github.com/covtool/covtool/integrations/go"
)

// The shell limits the size of the process's files, which has the effect of a full disk.
func TestAFullDiskFailsNoTest(t *testing.T) {
	if os.Getenv("COVTOOL_FULL_DISK") != "" {
		handler := covtool.Record(t, http.HandlerFunc(hello))
		for range 100 {
			answer := httptest.NewRecorder()
			handler.ServeHTTP(answer, httptest.NewRequest("GET", "/", nil))
			if answer.Body.String() != "hello" {
				t.Error(answer.Body.String())
			}
		}
		return
	}
	folder := t.TempDir()
	shell := `trap "" XFSZ; ulimit -f 8; exec "$0" -test.run='^TestAFullDiskFailsNoTest$'`
	command := exec.Command("sh", "-c", shell, os.Args[0])
	command.Env = append(os.Environ(), "COVTOOL_FULL_DISK=1", "COVTOOL_TRAFFIC="+folder)
	said, err := command.CombinedOutput()
	if err != nil || bytes.Count(said, []byte("covtool: The recorder for Go stopped recording in "+folder)) != 1 {
		t.Errorf("%v: %s", err, said)
	}
	if files, _ := filepath.Glob(filepath.Join(folder, "*.problems")); len(files) != 1 {
		t.Errorf("covtool isn't told: %v", files)
	}
	files, _ := filepath.Glob(filepath.Join(folder, "*.ndjson"))
	if lines, err := os.ReadFile(files[0]); err != nil || len(lines) < 1000 || !bytes.HasSuffix(lines, []byte("}\n")) {
		t.Errorf("%v: the last line is broken: %s", err, lines)
	}
}
