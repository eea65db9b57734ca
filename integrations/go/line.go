package covtool

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net/http"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// line is an exchange, as in the recording protocol.
type line struct {
	Request  message
	Response *message
	Start    time.Time
	Test     *runningTest
	// Unseen lists what the recorder could not see, as JSON members.
	Unseen string
}

// message is a request or a response.
type message struct {
	Method     string
	URL        string
	StatusCode int
	Elapsed    time.Duration
	Headers    [][2]string
	Body       []byte
	HasBody    bool
	Truncated  bool
}

// setBody adds the captured body; whole is false if the body was not seen to its end.
func (m *message) setBody(body []byte, whole bool) {
	m.Truncated, m.HasBody = !whole, whole
	if whole {
		m.Body = body
	}
}

// appendLine appends a line as JSON. With encoding/json, recording would take twice the time.
func appendLine(to []byte, l *line) []byte {
	to = append(to, `{"request":{"method":`...)
	to = appendText(to, l.Request.Method)
	to = append(to, `,"url":`...)
	to = appendText(to, l.Request.URL)
	to = append(to, ',')
	to = appendContent(to, &l.Request)
	if l.Response != nil {
		to = append(to, `,"response":{"status_code":`...)
		to = strconv.AppendInt(to, int64(l.Response.StatusCode), 10)
		to = append(to, `,"elapsed":`...)
		to = strconv.AppendFloat(to, l.Response.Elapsed.Seconds(), 'f', 9, 64)
		to = append(to, ',')
		to = appendContent(to, l.Response)
	}
	to = append(to, `,"timestamp":`...)
	to = strconv.AppendFloat(to, float64(l.Start.UnixMicro())/1e6, 'f', 6, 64)
	if l.Test != nil {
		to = append(to, `,"test":`...)
		to = appendTest(to, l.Test)
	}
	if l.Unseen != "" {
		to = append(to, `,"visibility":{`...)
		to = append(to, l.Unseen...)
		to = append(to, '}')
	}
	return append(to, "}\n"...)
}

// appendContent appends header fields and body, and ends the object.
func appendContent(to []byte, m *message) []byte {
	to = append(to, `"headers":[`...)
	for index, header := range m.Headers {
		if index > 0 {
			to = append(to, ',')
		}
		to = append(to, '[')
		to = appendText(to, header[0])
		to = append(to, ',')
		to = appendText(to, header[1])
		to = append(to, ']')
	}
	to = append(to, ']')
	switch {
	case m.Truncated:
		to = append(to, `,"body_truncated":true`...)
	case m.HasBody && isText(m.Body, m.Headers):
		to = append(to, `,"body":`...)
		to = appendText(to, m.Body)
	case m.HasBody:
		to = append(to, `,"body_base64":"`...)
		to = base64.StdEncoding.AppendEncode(to, m.Body)
		to = append(to, '"')
	}
	return append(to, '}')
}

func appendTest(to []byte, test *runningTest) []byte {
	to = append(to, `{"name":`...)
	to = appendText(to, test.Name)
	if test.File != "" {
		to = append(to, `,"file":`...)
		to = appendText(to, test.File)
	}
	if test.Line > 0 {
		to = append(to, `,"line":`...)
		to = strconv.AppendInt(to, int64(test.Line), 10)
	}
	return append(to, '}')
}

// appendText appends a text as a JSON string.
func appendText[T string | []byte](to []byte, text T) []byte {
	to = append(to, '"')
	written := 0
	for index := 0; index < len(text); {
		letter, size := text[index], 1
		if letter >= utf8.RuneSelf {
			_, size = utf8.DecodeRuneInString(string(text[index:min(index+utf8.UTFMax, len(text))]))
		}
		// A size of one beyond ASCII means invalid UTF-8.
		if letter >= ' ' && letter != '"' && letter != '\\' && (letter < utf8.RuneSelf || size > 1) {
			index += size
			continue
		}
		to = append(to, text[written:index]...)
		switch {
		case letter >= utf8.RuneSelf:
			to = append(to, "\ufffd"...)
		case letter >= ' ':
			to = append(to, '\\', letter)
		default:
			to = fmt.Appendf(to, `\u%04x`, letter)
		}
		index++
		written = index
	}
	to = append(to, text[written:]...)
	return append(to, '"')
}

// isText reports whether a body can be written as text without a loss.
func isText(body []byte, headers [][2]string) bool {
	if !utf8.Valid(body) || bytes.IndexByte(body, 0) >= 0 || bytes.HasPrefix(body, []byte("\xef\xbb\xbf")) {
		return false
	}
	for _, header := range headers {
		if strings.EqualFold(header[0], "Content-Encoding") {
			return len(body) == 0
		}
		if strings.EqualFold(header[0], "Content-Type") {
			kind := strings.ToLower(header[1])
			_, charset, _ := strings.Cut(kind, "charset=")
			charset = strings.TrimPrefix(charset, `"`)
			if strings.HasPrefix(kind, "multipart/") || charset != "" && !strings.HasPrefix(charset, "utf-8") {
				return len(body) == 0
			}
		}
	}
	return true
}

// headerPairs lists header fields sorted by name, with the host first if there is one.
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
