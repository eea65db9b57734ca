// A server on Huma, with the description that Huma generates.
package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

type Size struct {
	Width  float64 `json:"width" minimum:"0.1" maximum:"500"`
	Height float64 `json:"height" exclusiveMinimum:"0"`
	Unit   string  `json:"unit,omitempty" enum:"cm,in" default:"cm"`
}

type Parcel struct {
	Code     string            `json:"code" pattern:"^[A-Z]{2}-[0-9]{6}$" doc:"Unique"`
	Sender   string            `json:"sender" format:"email"`
	Name     *string           `json:"name,omitempty" minLength:"2" maxLength:"40"`
	Weight   float64           `json:"weight" minimum:"0" multipleOf:"0.5"`
	Count    int32             `json:"count,omitempty" minimum:"1" maximum:"99"`
	Sent     *time.Time        `json:"sent,omitempty"`
	Day      string            `json:"day,omitempty" format:"date"`
	Tracking string            `json:"tracking,omitempty" format:"uuid"`
	Link     string            `json:"link,omitempty" format:"uri"`
	Address  string            `json:"address,omitempty" format:"ipv4"`
	Tags     []string          `json:"tags,omitempty" uniqueItems:"true" maxItems:"4"`
	Size     *Size             `json:"size,omitempty"`
	Stops    []Size            `json:"stops,omitempty" minItems:"1"`
	Notes    map[string]string `json:"notes,omitempty"`
	Fragile  bool              `json:"fragile,omitempty"`
	Data     []byte            `json:"data,omitempty"`
}

type Stored struct {
	Body Parcel
}

type Change struct {
	Weight *float64 `json:"weight,omitempty" minimum:"0"`
	Tags   []string `json:"tags,omitempty" maxItems:"4"`
	State  string   `json:"state" enum:"sent,arrived,lost"`
}

func main() {
	mux := http.NewServeMux()
	api := humago.New(mux, huma.DefaultConfig("Parcels", "1.0.0"))
	codes := map[string]bool{}
	var lock sync.Mutex

	huma.Register(api, huma.Operation{OperationID: "listParcels", Method: "GET", Path: "/parcels", Tags: []string{"parcels"}}, func(_ context.Context, in *struct {
		Limit   int       `query:"limit" minimum:"1" maximum:"100" default:"20"`
		State   []string  `query:"state" enum:"sent,arrived"`
		Since   time.Time `query:"since"`
		Day     string    `query:"day" format:"date"`
		Heavy   bool      `query:"heavy"`
		Near    float64   `query:"near" minimum:"0" exclusiveMaximum:"90"`
		Query   string    `query:"q" minLength:"2" maxLength:"20"`
		Trace   string    `header:"X-Trace" format:"uuid"`
		Session string    `cookie:"session" minLength:"8"`
	}) (*struct{ Body []Parcel }, error) {
		return &struct{ Body []Parcel }{Body: []Parcel{}}, nil
	})
	huma.Register(api, huma.Operation{OperationID: "addParcel", Method: "POST", Path: "/parcels", Tags: []string{"parcels"}, DefaultStatus: 201, Errors: []int{409}}, func(_ context.Context, in *Stored) (*Stored, error) {
		lock.Lock()
		defer lock.Unlock()
		if codes[in.Body.Code] {
			return nil, huma.Error409Conflict("taken")
		}
		codes[in.Body.Code] = true
		return in, nil
	})
	huma.Register(api, huma.Operation{OperationID: "getParcel", Method: "GET", Path: "/parcels/{number}", Tags: []string{"parcels"}}, func(_ context.Context, in *struct {
		Number int64 `path:"number" minimum:"1"`
	}) (*Stored, error) {
		return &Stored{}, nil
	})
	huma.Register(api, huma.Operation{OperationID: "changeParcel", Method: "PATCH", Path: "/parcels/{number}", Tags: []string{"parcels"}}, func(_ context.Context, in *struct {
		Number  int64  `path:"number" minimum:"1"`
		IfMatch string `header:"If-Match"`
		Body    Change
	}) (*Stored, error) {
		return &Stored{}, nil
	})
	huma.Register(api, huma.Operation{OperationID: "estimate", Method: "POST", Path: "/estimates/{country}", Tags: []string{"estimates"}}, func(_ context.Context, in *struct {
		Country string `path:"country" minLength:"2" maxLength:"2" pattern:"^[a-z]+$"`
		Express bool   `query:"express"`
		Body    *Size  `required:"false"`
	}) (*struct{ Body float64 }, error) {
		return &struct{ Body float64 }{Body: 1}, nil
	})
	huma.Register(api, huma.Operation{OperationID: "putLabel", Method: "PUT", Path: "/parcels/{number}/label", Tags: []string{"labels"}}, func(_ context.Context, in *struct {
		Number  int64 `path:"number" minimum:"1"`
		RawBody huma.MultipartFormFiles[struct {
			Label   huma.FormFile `form:"label" contentType:"image/png,text/plain,application/octet-stream" required:"true"`
			Caption string        `form:"caption" maxLength:"30"`
			Copies  int           `form:"copies" minimum:"1" maximum:"9"`
		}]
	}) (*struct{}, error) {
		return nil, nil
	})
	huma.Register(api, huma.Operation{OperationID: "removeParcel", Method: "DELETE", Path: "/parcels/{number}", Tags: []string{"parcels"}}, func(_ context.Context, in *struct {
		Number int64  `path:"number" minimum:"1"`
		Reason string `query:"reason" enum:"lost,returned"`
	}) (*struct{}, error) {
		return nil, nil
	})

	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Printf("listening on http://%s\n", listener.Addr())
	panic(http.Serve(listener, mux))
}
