// Command notes serves the API at the address in its argument, or on port 3000.
package main

import (
	"log"
	"net/http"
	"os"

	"example.com/notes"
)

func main() {
	address := "localhost:3000"
	if len(os.Args) > 1 {
		address = os.Args[1]
	}
	log.Fatal(http.ListenAndServe(address, notes.NewHandler()))
}
