// Sends one request with each client, with the client's name as the path.
package main

import (
	"net/http"
	"os"
)

func main() {
	own := &http.Client{Transport: &http.Transport{}}
	for name, client := range map[string]*http.Client{"http.DefaultTransport": http.DefaultClient, "Proxy": own} {
		if answer, err := client.Get(os.Args[1] + "/" + name); err == nil {
			answer.Body.Close()
		}
	}
}
