module github.com/covtool/covtool/integrations/go

go 1.22
