package ogdl_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"ogdl/internal/test/must"
)

// block is a fenced block of the README.
type block struct{ language, text string }

var fence = regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$")

func readme(t *testing.T) (text string, blocks []block) {
	t.Helper()
	src := must.Get(os.ReadFile("README.md"))
	for _, m := range fence.FindAllStringSubmatch(string(src), -1) {
		blocks = append(blocks, block{m[1], m[2]})
	}
	return string(src), blocks
}

// commands are the lines of the shell blocks of the README and of docs/.
func commands(t *testing.T) (lines []string) {
	t.Helper()
	for _, text := range texts(t) {
		for _, m := range fence.FindAllStringSubmatch(text, -1) {
			if m[1] == "sh" {
				lines = append(lines, strings.Split(strings.TrimSpace(m[2]), "\n")...)
			}
		}
	}
	return lines
}

// texts are the README and the pages of docs/, by path.
func texts(t *testing.T) map[string]string {
	t.Helper()
	out := pages(t)
	out["README.md"], _ = readme(t)
	return out
}

// tableOf returns the lines of the table with this header, below it, and the text
// that holds it: exactly one must.
func tableOf(t *testing.T, header string) (page string, lines []string) {
	t.Helper()
	for path, text := range texts(t) {
		_, table, found := strings.Cut(text, "\n"+header+"\n")
		if !found {
			continue
		}
		if page != "" || strings.Contains(table, "\n"+header+"\n") {
			t.Fatalf("%s and %s both hold a table %q", page, path, header)
		}
		table, _, _ = strings.Cut(table, "\n\n")
		page, lines = path, strings.Split(table, "\n")[1:] // after |---|
	}
	if page == "" {
		t.Fatalf("no page has a table %q", header)
	}
	return page, lines
}

// folder is gone when the tests have run.
var folder string

// built is the program, and examples the folder with the programs of examples/: each built once for all tests that ask for it.
var (
	built    = sync.OnceValues(func() (string, error) { return build("experiments.exe", "./experiments") })
	examples = sync.OnceValues(func() (string, error) { return build("examples"+string(filepath.Separator), "./examples/...") })
)

// build builds a program into a file of that name, several into a folder. Without tables for debuggers the linker needs half the time.
func build(name, what string) (path string, err error) {
	path = folder + string(filepath.Separator) + name
	out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", path, what).CombinedOutput()
	if err != nil {
		err = errors.New(string(out))
	}
	return path, err
}

func TestMain(m *testing.M) {
	var err error
	if folder, err = os.MkdirTemp("", "ogdl-readme-*"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

// program runs the built program in an empty folder and returns what it prints,
// and whether it ended well.
func program(t *testing.T, args ...string) (out string, ok bool) {
	t.Helper()
	path := must.Get(built())
	cmd := exec.Command(path, args...)
	cmd.Dir = t.TempDir()
	text, err := cmd.CombinedOutput()
	return whichFile.ReplaceAllString(string(text), ""), err == nil
}

// whichFile is the line that names the configuration used.
var whichFile = regexp.MustCompile(`(?m)^configuration: .*\n`)

var flagLine = regexp.MustCompile(`(?m)^  -([\w-]+)`)

// flagsOf reads the names of flags off a help text.
func flagsOf(t *testing.T, args ...string) (names []string) {
	t.Helper()
	help, ok := program(t, args...)
	if !ok {
		t.Fatalf("%v: %s", args, help)
	}
	for _, m := range flagLine.FindAllStringSubmatch(help, -1) {
		names = append(names, m[1])
	}
	return names
}

// words splits a command line that quotes with ' only.
func words(line string) (out []string) {
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			out = append(out, part)
			continue
		}
		out = append(out, strings.Fields(part)...)
	}
	return out
}

// TestReadmeCommands holds every command of README and docs/ against the program: its
// flags are there, its configuration is, and its filter matches cells; scripts know their
// options. Nothing is computed.
func TestReadmeCommands(t *testing.T) {
	t.Parallel()
	verbs := verbFlags(t)
	seen, asked := 0, map[string]bool{}
	for _, line := range commands(t) {
		w := words(line)
		switch {
		case strings.HasPrefix(line, "go run ./experiments"):
			seen++
			args, flags, verb := w[3:], verbs["run"], ""
			if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
				verb, args = args[0], args[1:]
				flags = verbs[verb]
			}
			if verb == "help" || slices.Contains(args, "-help") {
				if out, ok := program(t, w[3:]...); !ok {
					t.Errorf("%s: %s", line, out)
				}
				continue
			}
			var ask []string
			for i, a := range args {
				name, isFlag := strings.CutPrefix(a, "-")
				name, _, _ = strings.Cut(name, "=")
				if isFlag && !slices.Contains(flags, name) {
					t.Errorf("%s: no flag -%s", line, name)
				}
				if i > 0 && (args[i-1] == "-config" || args[i-1] == "-filter" || args[i-1] == "-set" && verb != "embed") {
					if abs, err := filepath.Abs(a); err == nil && args[i-1] == "-config" && strings.HasSuffix(a, ".toml") && strings.Contains(a, "/") {
						a = abs // of the repository; the program runs elsewhere
					}
					ask = append(ask, args[i-1], a)
				}
			}
			if asked[strings.Join(ask, " ")] {
				continue // lists of thousands of cells take their time
			}
			asked[strings.Join(ask, " ")] = true
			if out, ok := program(t, append([]string{"list"}, ask...)...); !ok {
				t.Errorf("%s: %s", line, out)
			}
		case strings.HasPrefix(line, "go test"):
			seen++
			if len(w) != 3 || w[2] != "./..." {
				t.Errorf("%s: expected go test ./...", line)
			}
		case strings.HasPrefix(line, "go work "), strings.HasPrefix(line, "go mod "):
			seen++ // TestOtherModule of scripts runs them
		case strings.HasPrefix(line, "python3 python/"), strings.HasPrefix(line, "go run ./scripts/"), strings.HasPrefix(line, "docker build -f "):
			path := w[map[string]int{"python3": 1, "go": 2, "docker": 3}[w[0]]]
			if _, err := os.Stat(path); err != nil {
				t.Errorf("%s: %v", line, err)
			}
		case strings.HasPrefix(line, "docker run "):
			if _, ask, _ := strings.Cut(line, " ogdl "); ask != "" {
				if out, ok := program(t, append([]string{"list"}, words(ask)...)...); !ok {
					t.Errorf("%s: %s", line, out)
				}
			}
		case strings.HasPrefix(line, "scripts/"):
			seen++
			if info, err := os.Stat(w[0]); err != nil || info.Mode()&0o111 == 0 && runtime.GOOS != "windows" {
				t.Errorf("%s: no such script, or not executable", line)
				continue
			}
			for _, option := range w[1:] {
				if option == "--" {
					break
				}
				if strings.HasPrefix(option, "-") && !knowsOption(t, w[0], option) {
					t.Errorf("%s: the script knows no %s", line, option)
				}
			}
		case w[0] == "mkdir" && w[1] == "-p" && len(w) == 3:
		case w[0] == "cp":
			// Folders of results are merged in one way: the contents of a store into another.
			if len(w) != 4 || w[1] != "-r" || !strings.HasSuffix(w[2], "/store/.") || !strings.HasSuffix(w[3], "/store") {
				t.Errorf("%s: expected cp -r OTHER/store/. OUT/store", line)
			}
		default:
			t.Errorf("%s: this test does not know how to check that", line)
		}
	}
	if seen < 8 {
		t.Errorf("only %d commands found", seen)
	}
}

// knowsOption says whether a script, or what it takes its common options from, has a branch
// for the option or describes it at its head.
func knowsOption(t *testing.T, script, option string) bool {
	t.Helper()
	known := regexp.MustCompile(`(?m)(^|[\s#|(\["])` + regexp.QuoteMeta(option) + `($|[\s)|=\]"])`)
	for _, path := range []string{script, filepath.Join(filepath.Dir(script), "common.sh")} {
		src, err := os.ReadFile(path)
		if err == nil && known.Match(src) {
			return true
		}
	}
	return false
}

// verbFlags asks the program for its verbs and the flags of each.
func verbFlags(t *testing.T) map[string][]string {
	t.Helper()
	help, ok := program(t, "help")
	if !ok {
		t.Fatal(help)
	}
	verbs := map[string][]string{}
	for _, m := range regexp.MustCompile(`(?m)^  (\w+)`).FindAllStringSubmatch(help, -1) {
		verbs[m[1]] = flagsOf(t, "help", m[1])
	}
	return verbs
}

// TestReadmeFlags finds every verb and every flag of each verb in the tables, and the other way round.
func TestReadmeFlags(t *testing.T) {
	have := verbFlags(t)
	word := regexp.MustCompile("`-?([\\w-]+)")
	names := func(cell string) (out []string) {
		for _, m := range word.FindAllStringSubmatch(cell, -1) {
			out = append(out, m[1])
		}
		return out
	}
	page, lines := tableOf(t, "| verb | what it does |")
	var verbs []string
	for _, line := range lines {
		verbs = append(verbs, names(strings.Split(line, "|")[1])...)
	}
	slices.Sort(verbs)
	must.Same(t, verbs, slices.Sorted(maps.Keys(have)), "verbs that %s lists, and the program", page)
	page, lines = tableOf(t, "| flag | of | meaning |")
	listed := map[string][]string{}
	for _, line := range lines {
		cells := strings.Split(line, "|")
		for _, verb := range names(cells[2]) {
			listed[verb] = append(listed[verb], names(cells[1])...)
		}
	}
	for verb, flags := range have {
		slices.Sort(flags)
		slices.Sort(listed[verb])
		must.Same(t, flags, listed[verb], "flags that %s lists of %s, and the program", page, verb)
	}
}

// keyRows reads the table of keys: key to default, as written in TOML.
func keyRows(t *testing.T) map[string]string {
	_, lines := tableOf(t, "| key | default | meaning |")
	rows := map[string]string{}
	for _, line := range lines {
		if strings.Contains(line, "`") {
			maps.Copy(rows, keyCells(line))
		}
	}
	return rows
}

// inWords is a default that the table does not write as TOML.
const inWords = "in words"

// keyCells reads the keys of a table's line, "| keys | defaults | ...".
func keyCells(line string) map[string]string {
	rows := map[string]string{}
	cells := strings.Split(line, "|")
	keys := strings.Split(strings.ReplaceAll(cells[1], "`", ""), ",")
	defaults := strings.Split(strings.ReplaceAll(cells[2], "`", ""), ",")
	for i, key := range keys {
		value := ""
		switch {
		case strings.Contains(cells[2], "^"): // a list in words
			value = inWords
		case len(defaults) == len(keys):
			value = strings.TrimSpace(defaults[i])
		}
		rows[strings.TrimSpace(key)] = value
	}
	return rows
}

// classifying are the methods of the table of accuracies.
var classifying = []string{"FGWK", "S-GWK", "GDL-w", "GDL-g", "GWF-r + SVM", "GWF-f + SVM", "GWF-r + MLP", "GWF-f + MLP", "GK", "SPK", "RWK", "WLK", "HOPPERK", "PROPAK"}

// methodsOf asks the program for its methods.
func methodsOf(t *testing.T) (names []string) {
	t.Helper()
	help, _ := program(t, "help", "methods")
	for _, m := range regexp.MustCompile(`(?m)^  (\S+( \S+)*)`).FindAllStringSubmatch(help, -1) {
		names = append(names, m[1])
	}
	if len(names) < 20 {
		t.Fatalf("methods %v", names)
	}
	return names
}

// helpOf asks the program for the keys of a method, with their defaults; "" without one.
func helpOf(t *testing.T, method string) map[string]string {
	t.Helper()
	help, ok := program(t, "help", method)
	keys, written := map[string]string{}, regexp.MustCompile(`.* \(default (.*?)\)`)
	for _, m := range regexp.MustCompile(`(?m)^  (\w+)\b(.*(?:\n {18}.*)*)`).FindAllStringSubmatch(help, -1) {
		if slices.Contains([]string{"dataset", "path", "repetitions", "race"}, m[1]) {
			continue
		}
		keys[m[1]] = ""
		if d := written.FindStringSubmatch(strings.Join(strings.Fields(m[2]), " ")); d != nil {
			keys[m[1]] = d[1]
		}
	}
	if !ok || len(keys) == 0 {
		t.Fatalf("help %s: %s", method, help)
	}
	return keys
}

// checkDefaults sees that the defaults in rows are the program's, as it prints them; some have none and are found in another way.
func checkDefaults(t *testing.T, method string, rows, have map[string]string) {
	t.Helper()
	for key, value := range rows {
		x, failedX := strconv.ParseFloat(value, 64)
		y, failedY := strconv.ParseFloat(have[key], 64)
		equal := value == have[key] || failedX == nil && failedY == nil && x == y
		if !equal && (have[key] != "" || !slices.Contains(computed, key)) && value != inWords {
			t.Errorf("the table says that %s of %s is %s by default, the program says %q", key, method, value, have[key])
		}
	}
}

// computed are keys without a default: the program finds them in another way, or one must be given.
var computed = []string{"atoms", "atoms_per_class", "inner_folds", "share", "held_out", "order"}

// TestReadmeKeys finds every key of a block in the table of keys, and the other way
// round, with its default.
func TestReadmeKeys(t *testing.T) {
	t.Parallel()
	rows := keyRows(t)
	have := helpOf(t, "GDL")
	must.Same(t, slices.Sorted(maps.Keys(have)), slices.Sorted(maps.Keys(rows)), "keys of the program, and of the table")
	checkDefaults(t, "GDL", rows, have)
}

// TestReadmeKeysOfOthers does the same with what the other methods have besides.
func TestReadmeKeysOfOthers(t *testing.T) {
	t.Parallel()
	_, lines := tableOf(t, "| method | key | default | meaning |")
	listed := map[string]map[string]string{}
	for _, line := range lines {
		method, rest, _ := strings.Cut(strings.TrimPrefix(line, "| "), " |")
		if !strings.Contains(line, "`") {
			continue
		}
		if listed[method] == nil {
			listed[method] = map[string]string{}
		}
		maps.Copy(listed[method], keyCells("|"+rest))
	}
	common := maps.Clone(keyRows(t))
	like := map[string][]string{ // whose keys a method has, too
		"GWF-f": {"GWF-r"}, "GWF-time": {"GWF-r", "GDL-time"},
		"GDL-g": {"GDL-w", "GDL-distances"}, "GWF-r + SVM": {"GWF-r", "GDL-w"}, "GWF-f + SVM": {"GWF-r", "GWF-r + SVM", "GDL-w"},
		"GWF-r + MLP": {"GWF-r"}, "GWF-f + MLP": {"GWF-r", "GWF-r + MLP"},
	}
	for _, method := range classifying {
		like[method] = append(like[method], "FGWK")
	}
	for _, method := range methodsOf(t)[1:] { // but GDL
		keys := helpOf(t, method)
		others, rows := like[method], listed[method]
		for key := range keys {
			if _, ok := rows[key]; ok {
				continue
			}
			known := slices.ContainsFunc(others, func(other string) bool { _, has := listed[other][key]; return has })
			if _, shared := common[key]; !shared && !known {
				t.Errorf("the table does not list %s of %s", key, method)
			}
		}
		for key := range rows {
			if _, ok := keys[key]; !ok {
				t.Errorf("the table lists %s of %s, which the program does not have", key, method)
			}
		}
		checkDefaults(t, method, rows, keys)
	}
}

// TestReadmeExamples runs the README's Go program, which must print what the README
// says.
func TestReadmeExamples(t *testing.T) {
	t.Parallel()
	_, blocks := readme(t)
	ran := false
	for i, b := range blocks {
		if b.language != "go" {
			continue
		}
		ran = true
		path := filepath.Join(t.TempDir(), "main.go")
		must.Do(t, os.WriteFile(path, []byte(b.text), 0o644))
		binary, err := build("readme.exe", path)
		prints(t, binary, err, blocks[i+1].text)
	}
	if !ran {
		t.Error("README has no Go program")
	}
}

// TestExamples runs the programs of examples/: each prints what it says at its end.
func TestExamples(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("examples/*/main.go")
	if err != nil || len(paths) != 5 {
		t.Fatalf("programs %v: %v", paths, err)
	}
	dir, err := examples()
	for _, path := range paths {
		src, failed := os.ReadFile(path)
		if failed != nil {
			t.Fatal(failed)
		}
		_, want, _ := strings.Cut(string(src), "\n// Output:\n")
		binary := filepath.Join(dir, filepath.Base(filepath.Dir(path)))
		prints(t, binary, err, strings.ReplaceAll("\n"+want, "\n// ", "\n")[1:])
	}
}

// prints runs a program in an empty folder, unless it could not be built, and compares what it prints.
func prints(t *testing.T, binary string, err error, want string) {
	t.Helper()
	must.Do(t, err)
	cmd := exec.Command(binary)
	cmd.Dir = t.TempDir()
	out, err := cmd.CombinedOutput()
	if runtime.GOARCH != "amd64" { // sums may be fused elsewhere, and digits differ
		digits := regexp.MustCompile(`\d+`)
		out, want = digits.ReplaceAll(out, []byte("0")), digits.ReplaceAllString(want, "0")
	}
	if err != nil || string(out) != want {
		t.Errorf("%s prints\n%s\nwant\n%s\n%v", binary, out, want, err)
	}
}

// TestReadmeCounts holds the answers under the README's first heading to the first two of the published reproduction, where there is one.
func TestReadmeCounts(t *testing.T) {
	page, err := os.ReadFile("docs/reproduction.md")
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("no reproduction is published")
	}
	must.Do(t, err)
	text, _ := readme(t)
	answers := strings.SplitN(string(page), "\n**", 3)
	must.Equal(t, len(answers), 3, "docs/reproduction.md with its two answers")
	for _, answer := range answers[1:] {
		answer, _, _ = strings.Cut(answer, "\n")
		answer, _, _ = strings.Cut(answer, " [Its runs]")
		if !strings.Contains(text, "\n**"+answer+"\n") {
			t.Errorf("the README lacks the answer of docs/reproduction.md: **%s", answer)
		}
	}
}
