package covtool

import (
	"io"
	"sync"
)

// capture copies the bytes of a body as they pass, up to a limit.
type capture struct {
	mutex sync.Mutex
	limit int
	bytes []byte
	total int64
	ended bool
}

func (c *capture) add(data []byte) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.total += int64(len(data))
	if c.total <= int64(c.limit) {
		c.bytes = append(c.bytes, data...)
	} else {
		c.bytes = nil
	}
}

func (c *capture) end() {
	c.mutex.Lock()
	c.ended = true
	c.mutex.Unlock()
}

func (c *capture) reset() {
	c.mutex.Lock()
	c.bytes, c.total, c.ended = nil, 0, false
	c.mutex.Unlock()
}

// whole returns the body, and true if all of it was seen. length is the Content-Length, or -1.
func (c *capture) whole(length int64) ([]byte, bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	seen := c.ended || c.total == length
	return c.bytes, seen && c.total <= int64(c.limit)
}

// remaining returns the number of bytes that have not passed yet, or -1 if it is unknown.
func (c *capture) remaining(length int64) int64 {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.ended {
		return 0
	}
	if length < 0 {
		return -1
	}
	return length - c.total
}

// capturedBody is the body of a request, whose bytes are captured as they are read.
type capturedBody struct {
	io.ReadCloser
	captured *capture
}

func (b *capturedBody) Read(buffer []byte) (int, error) {
	n, err := b.ReadCloser.Read(buffer)
	b.captured.add(buffer[:n])
	if err == io.EOF {
		b.captured.end()
	}
	return n, err
}
