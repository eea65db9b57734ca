// Package auto records what tests send through http.DefaultTransport if covtool runs them:
//
//	import _ "github.com/covtool/covtool/integrations/go/auto"
package auto

import covtool "github.com/covtool/covtool/integrations/go"

func init() { covtool.RecordDefaultTransport() }
