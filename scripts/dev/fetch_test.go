// Package dev holds the tests of the shell scripts.
package dev

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"ogdl/datasets/loader"
	"ogdl/internal/sharedtest"
	"ogdl/internal/test/must"
)

// bash returns the path of the shell, and skips the test where there is none.
func bash(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	return path
}

// outcome runs a command and returns its output and its exit status.
func outcome(t *testing.T, cmd *exec.Cmd) (output string, status int) {
	t.Helper()
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Error(err)
		return "", -1
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// fetch runs the script in a folder of its own; path, if any, replaces $PATH.
func fetch(t *testing.T, path string, args ...string) (output string, status int) {
	t.Helper()
	script := must.Get(filepath.Abs("../fetch_tudatasets.sh"))
	if path == "" {
		path = os.Getenv("PATH")
	}
	cmd := exec.Command(bash(t), append([]string{script}, args...)...)
	cmd.Dir = t.TempDir()
	cmd.Env = []string{"PATH=" + path, "HOME=" + cmd.Dir}
	return outcome(t, cmd)
}

// tools makes a folder of links to the commands that the script may use, the
// named ones among them, and skips the test where one of those is not there.
func tools(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	common := []string{
		"bash", "cut", "dirname", "find", "grep", "head", "mkdir", "mktemp", "mv", "rm",
		"sed", "sleep", "tr", "wc", "cat",
	}
	for _, name := range append(common, names...) {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Skipf("no %s", name)
		}
		if name == "python3" { // a version manager's shim would look for its own tools
			out, err := exec.Command(path, "-c", "import sys; print(sys.executable)").Output()
			if err != nil {
				t.Skip("python3 does not run")
			}
			path = strings.TrimSpace(string(out))
		}
		must.Do(t, os.Symlink(path, filepath.Join(dir, name)))
	}
	return dir
}

func mutag(t *testing.T) map[string][]byte {
	t.Helper()
	z := must.Get(zip.OpenReader(filepath.Join(sharedtest.Dir(t), "tudatasets", "MUTAG.zip")))
	defer z.Close()
	files := map[string][]byte{}
	for _, f := range z.File {
		r := must.Get(f.Open())
		files[f.Name] = must.Get(io.ReadAll(r))
		r.Close()
	}
	return files
}

type member struct {
	name string
	data []byte
	mode fs.FileMode
}

func members(files map[string][]byte) []member {
	var list []member
	for name, data := range files {
		list = append(list, member{name: name, data: data})
	}
	return list
}

func pack(t *testing.T, list []member) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, m := range list {
		h := &zip.FileHeader{Name: m.name, Method: zip.Deflate}
		h.SetMode(0o644 | m.mode)
		w := must.Get(z.CreateHeader(h))
		must.Get(w.Write(m.data))
	}
	must.Do(t, z.Close())
	return b.Bytes()
}

// mirror puts archive MUTAG.zip into a folder of its own.
func mirror(t *testing.T, name string, archive []byte) string {
	t.Helper()
	dir := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(dir, name+".zip"), archive, 0o644))
	return dir
}

// tree lists what is below dir.
func tree(t *testing.T, dir string) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && path != dir {
			rel, _ := filepath.Rel(dir, path)
			list = append(list, rel)
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return list
}

var whole = []string{
	"MUTAG", "MUTAG/MUTAG_A.txt", "MUTAG/MUTAG_edge_labels.txt", "MUTAG/MUTAG_graph_indicator.txt",
	"MUTAG/MUTAG_graph_labels.txt", "MUTAG/MUTAG_node_labels.txt", "MUTAG/README.txt",
}

func wantTree(t *testing.T, dir string, want []string) {
	t.Helper()
	if got := tree(t, dir); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("the folder holds %q, want %q", got, want)
	}
}

func TestFetchSumsAreComplete(t *testing.T) {
	sums := must.Get(os.ReadFile("../SHA256SUMS"))
	line := regexp.MustCompile(`^[0-9a-f]{64}  ([A-Za-z0-9_-]+)/[A-Za-z0-9_.-]+$`)
	sets := map[string]int{}
	for _, l := range strings.Split(strings.TrimSuffix(string(sums), "\n"), "\n") {
		m := line.FindStringSubmatch(l)
		if m == nil {
			t.Fatalf("line %q", l)
		}
		sets[m[1]]++
	}
	if len(sets) != 10 {
		t.Errorf("sums of %d sets, want the eight of the paper, TRIANGLES and twitch_egos_partial: %v", len(sets), sets)
	}
	shared := must.Get(os.ReadFile(filepath.Join(sharedtest.Dir(t), "tudatasets", "SHA256SUMS")))
	must.Same(t, shared, sums, "sums of the shared data, and ours")
}

func TestFetchTwice(t *testing.T) {
	from := filepath.Join(sharedtest.Dir(t), "tudatasets")
	data := filepath.Join(t.TempDir(), "a folder", "data")
	for _, want := range []string{"MUTAG: fetched into", "MUTAG: already in"} {
		// The paper's name of the second, options after names.
		out, status := fetch(t, "", "MUTAG", "PTC-MR", "-data", data, "--from", from)
		if status != 0 || !strings.Contains(out, want) {
			t.Fatalf("status %d, output %q, want %q", status, out, want)
		}
	}
	d := must.Get(loader.Load(data, "PTC-MR"))
	must.Check(t, len(d.Graphs), 344, "graphs")
	// A file that was changed since is reported, and left alone.
	path := filepath.Join(data, "MUTAG", "MUTAG_A.txt")
	must.Do(t, os.WriteFile(path, []byte("1, 2\n"), 0o644))
	out, status := fetch(t, "", "MUTAG", "-data", data, "--from", from)
	if status != 1 || !strings.Contains(out, "MUTAG_A.txt has not the SHA-256") {
		t.Errorf("status %d, output %q", status, out)
	}
	if kept, err := os.ReadFile(path); err != nil || string(kept) != "1, 2\n" {
		t.Errorf("the changed file became %q, %v", kept, err)
	}
}

// TestFetchMissing runs the command that the loader names.
func TestFetchMissing(t *testing.T) {
	from := filepath.Join(sharedtest.Dir(t), "tudatasets")
	data := filepath.Join(t.TempDir(), "it's data")
	_, err := loader.Load(data, "MUTAG")
	if !errors.Is(err, loader.ErrMissing) {
		t.Fatal(err)
	}
	at := strings.Index(err.Error(), "scripts/fetch_tudatasets.sh ")
	if at < 0 {
		t.Fatalf("no command in %q", err)
	}
	cmd := exec.Command("bash", "-c", err.Error()[at:]+` --from "$FROM"`)
	cmd.Dir = "../.."
	cmd.Env = append(os.Environ(), "FROM="+from)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	must.Do(t, must.Err(loader.Load(data, "MUTAG")))
}

// TestFetchSums takes sums by other commands than sha256sum, and unpacks by none.
func TestFetchSums(t *testing.T) {
	from := filepath.Join(sharedtest.Dir(t), "tudatasets")
	for _, set := range [][]string{{"unzip", "shasum", "perl"}, {"unzip", "openssl"}} {
		t.Run(set[1], func(t *testing.T) {
			path, data := tools(t, set...), t.TempDir()
			if out, status := fetch(t, path, "-data", data, "--from", from, "MUTAG"); status != 0 {
				t.Fatalf("status %d: %s", status, out)
			}
			wantTree(t, data, whole)
		})
	}
	t.Run("none", func(t *testing.T) {
		out, status := fetch(t, tools(t, "sha256sum"), "-data", t.TempDir(), "--from", from, "MUTAG")
		if status != 1 || !strings.Contains(out, "no unzip, python3 or bsdtar") {
			t.Errorf("status %d: %s", status, out)
		}
	})
}

// TestFetchExpectedMembersOnly packs more than the set: what is not expected
// is not unpacked, wherever it wants to go. The others are, by each unpacker.
func TestFetchExpectedMembersOnly(t *testing.T) {
	files := mutag(t)
	list := append(members(files),
		member{name: "MUTAG/"}, // as in the host's archives
		member{name: "../escaped.txt", data: []byte("x")},
		member{name: "MUTAG/../../escaped.txt", data: []byte("x")},
		member{name: "/tmp/ogdl-escaped.txt", data: []byte("x")},
		member{name: "MUTAG/MUTAG_node_attributes.txt", data: []byte("1\n")}, // not a file of MUTAG
		member{name: "MUTAG/MUTAG_../../escaped.txt", data: []byte("x")},
		member{name: "MUTAG/.profile", data: []byte("x")},
		member{name: "MUTAG/sub/MUTAG_A.txt", data: []byte("x")},
		member{name: "MUTAG/link.txt", data: []byte("/etc/passwd"), mode: fs.ModeSymlink},
		member{name: "MUTAG/new\nMUTAG/line.txt", data: []byte("x")},
		member{name: "evil.sh", data: []byte("x"), mode: 0o755},
	)
	from := mirror(t, "MUTAG", pack(t, list))
	for _, unpacker := range []string{"unzip", "python3", "bsdtar"} {
		t.Run(unpacker, func(t *testing.T) {
			top := t.TempDir()
			data := filepath.Join(top, "a", "data")
			out, status := fetch(t, tools(t, unpacker, "sha256sum"), "-data", data, "--from", from, "MUTAG")
			must.Equal(t, status, 0, "status, with %s", out)
			wantTree(t, data, whole)
			wantTree(t, filepath.Join(top, "a"), append([]string{"data"}, prefixed("data/", whole)...))
			if _, err := os.Lstat("/tmp/ogdl-escaped.txt"); err == nil {
				t.Error("an absolute path was unpacked")
			}
		})
	}
}

func prefixed(prefix string, list []string) []string {
	var out []string
	for _, s := range list {
		out = append(out, prefix+s)
	}
	return out
}

func TestFetchRefuses(t *testing.T) {
	files := mutag(t)
	good := pack(t, members(files))
	changed := func(name string, data []byte, mode fs.FileMode) []byte {
		var list []member
		for n, d := range files {
			if n == name {
				if data == nil {
					continue
				}
				list = append(list, member{n, data, mode})
				continue
			}
			list = append(list, member{name: n, data: d})
		}
		return pack(t, list)
	}
	const edges = "MUTAG/MUTAG_A.txt"
	cases := []struct {
		name    string
		archive []byte
		want    string
	}{
		{"wrong contents", changed(edges, append(bytes.Clone(files[edges]), "1, 2\n"...), 0), "MUTAG_A.txt has not the SHA-256"},
		{"empty file", changed(edges, []byte{}, 0), "MUTAG_A.txt has not the SHA-256"},
		{"file missing", changed(edges, nil, 0), "does not hold MUTAG/MUTAG_A.txt"},
		{"link instead of file", changed(edges, []byte("../../../etc/passwd"), fs.ModeSymlink), "MUTAG_A.txt"},
		{"too large", append(bytes.Clone(good), make([]byte, 32<<20)...), "has more than the 33554432 bytes"},
		{"member twice", pack(t, append(members(files), member{name: edges, data: files[edges]})), "more than once"},
		{"truncated", good[:len(good)/2], "damaged"},
		{"damaged", damage(good), ""},
		{"empty", nil, "damaged"},
		{"a page instead", []byte("<html>moved</html>"), "damaged"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			from, data := mirror(t, "MUTAG", c.archive), t.TempDir()
			out, status := fetch(t, "", "-data", data, "--from", from, "MUTAG")
			if status != 1 || !strings.Contains(out, c.want) || !strings.Contains(out, "not fetched: MUTAG") {
				t.Errorf("status %d, output %q, want %q", status, out, c.want)
			}
			wantTree(t, data, nil) // nothing half-written, nothing left
			if c.name != "damaged" {
				return
			}
			// A retry from a good mirror needs no clearing up.
			if out, status := fetch(t, "", "-data", data, "--from", mirror(t, "MUTAG", good), "MUTAG"); status != 0 {
				t.Fatalf("retry: status %d: %s", status, out)
			}
			wantTree(t, data, whole)
		})
	}
}

// damage flips bytes of the compressed contents.
func damage(archive []byte) []byte {
	b := bytes.Clone(archive)
	for i := 100; i < len(b)/2; i += 97 {
		b[i] ^= 0x55
	}
	return b
}

// TestFetchBombs takes the unpackers through the size cap.
func TestFetchBombs(t *testing.T) {
	files := mutag(t)
	files["MUTAG/MUTAG_A.txt"] = make([]byte, 128<<20+1)
	from := mirror(t, "MUTAG", pack(t, members(files)))
	for _, unpacker := range []string{"unzip", "python3", "bsdtar"} {
		t.Run(unpacker, func(t *testing.T) {
			data := t.TempDir()
			out, status := fetch(t, tools(t, unpacker, "sha256sum"), "-data", data, "--from", from, "MUTAG")
			if status != 1 || !strings.Contains(out, "unpacks to more than") {
				t.Errorf("status %d: %s", status, out)
			}
			wantTree(t, data, nil)
		})
	}
}

// TestFetchArchiveSum: a set whose files have no sums must come in the host's
// own archive, wherever that is copied from.
func TestFetchArchiveSum(t *testing.T) {
	archive := pack(t, []member{
		{name: "twitch_egos/twitch_egos_A.txt", data: []byte("1, 2\n")},
		{name: "twitch_egos/twitch_egos_graph_indicator.txt", data: []byte("1\n1\n")},
		{name: "twitch_egos/twitch_egos_graph_labels.txt", data: []byte("1\n")},
	})
	data := t.TempDir()
	out, status := fetch(t, "", "-data", data, "--from", mirror(t, "twitch_egos", archive), "twitch_egos")
	if status != 1 || !strings.Contains(out, "want b691bae434805f69") {
		t.Errorf("status %d: %s", status, out)
	}
	wantTree(t, data, nil)
}

func TestFetchURL(t *testing.T) {
	good := pack(t, members(mutag(t)))
	for _, client := range []string{"curl", "wget"} {
		t.Run(client, func(t *testing.T) {
			path := tools(t, client, "unzip", "sha256sum")
			tries := 0
			serve := func(w http.ResponseWriter, r *http.Request) {
				switch {
				case r.URL.Path != "/sets/MUTAG.zip":
					http.NotFound(w, r)
				case tries == 0: // breaks off half way
					tries++
					w.Header().Set("Content-Length", "1000000")
					w.Write(good[:len(good)/2])
				default:
					tries++
					w.Write(good)
				}
			}
			server := httptest.NewServer(http.HandlerFunc(serve))
			defer server.Close()
			data := t.TempDir()
			out, status := fetch(t, path, "-data", data, "--from", server.URL+"/sets/", "MUTAG")
			if status != 0 || tries != 2 {
				t.Fatalf("status %d after %d tries: %s", status, tries, out)
			}
			wantTree(t, data, whole)
		})
	}
}

func TestFetchEndlessDownload(t *testing.T) {
	sent := 0
	serve := func(w http.ResponseWriter, r *http.Request) {
		block := make([]byte, 1<<20)
		for {
			n, err := w.Write(block)
			if sent += n; err != nil || sent > 1<<30 {
				return
			}
		}
	}
	server := httptest.NewServer(http.HandlerFunc(serve))
	defer server.Close()
	data := t.TempDir()
	out, status := fetch(t, "", "-data", data, "--from", server.URL, "MUTAG")
	server.Close() // waits for the handler
	if status != 1 || !strings.Contains(out, "has more than") || sent > 64<<20 {
		t.Errorf("status %d after %d bytes: %s", status, sent, out)
	}
	wantTree(t, data, nil)
}

func TestFetchGoesOn(t *testing.T) {
	data := t.TempDir()
	from := mirror(t, "MUTAG", pack(t, members(mutag(t))))
	out, status := fetch(t, "", "-data="+data, "--from="+from, "BZR", "MUTAG", "COX2")
	if status != 1 || !strings.Contains(out, "not fetched: BZR COX2") || !strings.Contains(out, "MUTAG: fetched") {
		t.Errorf("status %d: %s", status, out)
	}
	wantTree(t, data, whole)
}

// TestFetchAtOnce: several runs into one folder do not get in each other's way.
func TestFetchAtOnce(t *testing.T) {
	bash(t) // no test may be skipped in a goroutine
	data, from := t.TempDir(), mirror(t, "MUTAG", pack(t, members(mutag(t))))
	var wait sync.WaitGroup
	for range 6 {
		wait.Go(func() {
			if out, status := fetch(t, "", "-data", data, "--from", from, "MUTAG"); status != 0 {
				t.Errorf("status %d: %s", status, out)
			}
		})
	}
	wait.Wait()
	wantTree(t, data, whole)
}

func TestFetchCommandLine(t *testing.T) {
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{nil, 2, "no data set named"},
		{[]string{"mutag"}, 2, "unknown data set mutag"},
		{[]string{"../MUTAG"}, 2, "unknown data set"},
		{[]string{"-x", "MUTAG"}, 2, "unknown option -x"},
		{[]string{"MUTAG", "--from"}, 2, "--from needs a value"},
		{[]string{"MUTAG", "-data", ""}, 2, "-data needs a value"},
		{[]string{"MUTAG", "--from", "ftp://example.org"}, 2, "http"},
		{[]string{"MUTAG", "--from", "nowhere"}, 1, "no such folder"},
		{[]string{"twitch_egos_partial"}, 1, "not on the public host"},
		{[]string{"-help"}, 0, "usage:"},
	} {
		if out, status := fetch(t, "", c.args...); status != c.status || !strings.Contains(out, c.want) {
			t.Errorf("%q: status %d, want %d; output %q, want %q", c.args, status, c.status, out, c.want)
		}
	}
}
