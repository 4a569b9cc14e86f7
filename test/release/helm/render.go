// Renders the chart's templates with the language and the functions that Helm has: Go's text/template with sprig. Helm itself
// is not among Debian's packages. Reads {"root": …, "templates": {name: text}} and writes {name: rendered}.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"text/template"

	"github.com/Masterminds/sprig"
)

func main() {
	var in struct {
		Root      map[string]interface{}
		Templates map[string]string
	}
	if err := json.NewDecoder(os.Stdin).Decode(&in); err != nil {
		end(err)
	}
	all := template.New("chart").Option("missingkey=zero")
	functions := sprig.TxtFuncMap()
	functions["include"] = func(name string, data interface{}) (string, error) {
		var out bytes.Buffer
		err := all.ExecuteTemplate(&out, name, data)
		return out.String(), err
	}
	// JSON is YAML.
	functions["toYaml"] = func(value interface{}) (string, error) {
		out, err := json.Marshal(value)
		return string(out), err
	}
	functions["required"] = func(warning string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, fmt.Errorf("%s", warning)
		}
		return value, nil
	}
	all.Funcs(functions)
	for name, text := range in.Templates {
		if _, err := all.New(name).Parse(text); err != nil {
			end(err)
		}
	}
	rendered := map[string]string{}
	for name := range in.Templates {
		var out bytes.Buffer
		if err := all.ExecuteTemplate(&out, name, in.Root); err != nil {
			end(err)
		}
		rendered[name] = out.String()
	}
	json.NewEncoder(os.Stdout).Encode(rendered)
}

func end(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
