module example.com/notes

go 1.22

require github.com/covtool/covtool/integrations/go v0.1.0

// In a project of your own, `go get github.com/covtool/covtool/integrations/go` instead.
replace github.com/covtool/covtool/integrations/go => ../../integrations/go
