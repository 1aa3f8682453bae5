package houserules

import "testing"

func TestOutside(t *testing.T) { obey(t, "outside", checkOutside) }

func TestOutsideRefuses(t *testing.T) {
	prove(t, checkOutside,
		proof{"a path of this machine", map[string]string{"a.md": "one\nsee `/wo" + "rk/main`\n"}, []string{"a.md:2: a.md mentions an absolute path"}},
		proof{"somebody's folder", map[string]string{"a.go": "package a // /ho" + "me/me/a\n"}, []string{"mentions an absolute path"}},
		proof{"a folder beside the repository", map[string]string{"Makefile": "cp ../sha" + "red/a b\n"}, []string{"a folder outside"}},
		proof{"where packages come from", map[string]string{"run": "export GO" + "PROXY=x\n"}, []string{"where packages are fetched from"}},
		proof{"a private package host", map[string]string{"package-lock.json": "\"resolved\": \"http://10.0.0.1/a.tgz\"\n"}, []string{"a package host"}},
		proof{"the public package host", map[string]string{"package-lock.json": "\"resolved\": \"https://registry.npmjs.org/a.tgz\"\n"}, nil},
		proof{"words and relative paths", map[string]string{"a.md": "net/wo" + "rk/net, the-ho" + "me/page, examples/wo" + "rk/door\n"}, nil},
		proof{"what is not text", map[string]string{"a.png": "\x00/wo" + "rk/"}, nil},
	)
}
