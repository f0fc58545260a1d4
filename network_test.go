package ogdl_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"ogdl/internal/test/must"
)

// TestNoNetwork sees that nothing but the fetch script can use the network: no package,
// ours or imported, links Go's networking (net/url and net/netip only parse), and no
// other script names a program that downloads.
func TestNoNetwork(t *testing.T) {
	all, err := packages()
	if _, there := all["ogdl/experiments"]; err != nil || !there {
		t.Fatalf("the list of packages is not whole: %v", err)
	}
	for _, p := range []string{"net", "net/http", "net/rpc", "crypto/tls", "golang.org/x/net/http2"} {
		if _, linked := all[p]; linked {
			t.Errorf("the program or a library links %s", p)
		}
	}
	downloads := regexp.MustCompile(`\b(curl|wget|ftp|rsync|scp|urllib|requests|urlopen)\b`)
	err = filepath.WalkDir("scripts", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !slices.Contains([]string{".sh", ".py", ".js"}, filepath.Ext(path)) || d.Name() == "fetch_tudatasets.sh" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if m := downloads.Find(text); m != nil {
			t.Errorf("%s: uses %s", path, m)
		}
		return nil
	})
	must.Do(t, err)
}
