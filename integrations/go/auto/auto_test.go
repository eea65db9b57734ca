package auto_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/covtool/covtool/integrations/go/auto"
)

// The import acts when a program starts, so the test starts itself again, with the variable set.
func TestTheImportRecordsWhatTheDefaultTransportSends(t *testing.T) {
	if os.Getenv("COVTOOL_AUTO_TEST") != "" {
		sendRequests(t)
		return
	}
	folder := t.TempDir()
	again := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	again.Env = append(os.Environ(), "COVTOOL_TRAFFIC="+folder, "COVTOOL_AUTO_TEST=1")
	if output, err := again.CombinedOutput(); err != nil || strings.Contains(string(output), "HTTP/2 support") {
		t.Fatalf("%v\n%s", err, output)
	}
	files, _ := filepath.Glob(filepath.Join(folder, "*.ndjson"))
	var all []byte
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, data...)
	}
	for _, path := range []string{"/plain", "/secure"} {
		if strings.Count(string(all), path+`"`) != 1 {
			t.Errorf("%s isn't recorded once:\n%s", path, all)
		}
	}
	if strings.Count(string(all), `"test":{"name":"`+t.Name()+`"`) != 2 {
		t.Errorf("the test is missing:\n%s", all)
	}
}

func sendRequests(t *testing.T) {
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.Proto) })
	plain := httptest.NewServer(handler)
	defer plain.Close()
	secure := httptest.NewUnstartedServer(handler)
	secure.EnableHTTP2 = true
	secure.StartTLS()
	defer secure.Close()
	http.DefaultTransport.(*http.Transport).TLSClientConfig = secure.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
	for url, protocol := range map[string]string{plain.URL + "/plain": "HTTP/1.1", secure.URL + "/secure": "HTTP/2.0"} {
		// A new client uses the default transport, too.
		response, err := (&http.Client{}).Get(url)
		if err != nil {
			t.Fatal(err)
		}
		if body, _ := io.ReadAll(response.Body); string(body) != protocol {
			t.Errorf("%s instead of %s", body, protocol)
		}
		response.Body.Close()
	}
}
