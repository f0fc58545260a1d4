package npz_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ogdl/internal/npz"
	"ogdl/internal/sharedtest"
	"ogdl/internal/test/must"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	sbinet "github.com/sbinet/npyio/npz"
	"pgregory.net/rapid"
)

func sample() []npz.Array {
	return []npz.Array{
		{Name: "atoms", Shape: []int{2, 2, 2}, Float: []float64{1, -2.5, math.Inf(1), math.SmallestNonzeroFloat64, math.Copysign(0, -1), 1e300, 0.1, 3}},
		{Name: "labels", Shape: []int{3}, Int: []int{0, -7, 1 << 62}},
		{Name: "names", Shape: []int{1, 3}, Text: []string{"", "naïve", "a\x00b🙂"}},
		{Name: "scalar", Shape: []int{}, Float: []float64{4}},
		{Name: "none", Shape: []int{0, 5}, Float: []float64{}},
		npz.Scalar("metadata ä", `{"alpha": 0.5}`),
	}
}

func write(t must.TB, arrays []npz.Array) []byte {
	t.Helper()
	var buf bytes.Buffer
	must.Do(t, npz.Write(&buf, arrays))
	return buf.Bytes()
}

func read(data []byte) ([]npz.Array, error) {
	return npz.Read(bytes.NewReader(data), int64(len(data)))
}

// sameBits compares floats by their bits, so that NaN and -0 count.
var sameBits = cmp.Options{
	cmp.Comparer(func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) }),
	cmpopts.EquateEmpty(),
}

func TestRoundTrip(t *testing.T) {
	want := sample()
	got := must.Get(read(write(t, want)))
	if diff := cmp.Diff(want, got, sameBits); diff != "" {
		t.Error(diff)
	}
	for k := range got {
		if (want[k].Float == nil) != (got[k].Float == nil) || (want[k].Text == nil) != (got[k].Text == nil) {
			t.Errorf("array %q changed its kind", want[k].Name)
		}
	}
}

func TestRoundTripProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var arrays []npz.Array
		for k := range rapid.IntRange(0, 4).Draw(t, "arrays") {
			a := npz.Array{Name: fmt.Sprint("x", k), Shape: rapid.SliceOfN(rapid.IntRange(0, 4), 0, 4).Draw(t, "shape")}
			n := 1
			for _, e := range a.Shape {
				n *= e
			}
			switch rapid.IntRange(0, 2).Draw(t, "kind") {
			case 0:
				a.Float = rapid.SliceOfN(rapid.Map(rapid.Uint64(), math.Float64frombits), n, n).Draw(t, "float")
			case 1:
				a.Int = rapid.SliceOfN(rapid.Int(), n, n).Draw(t, "int")
			default:
				a.Text = rapid.SliceOfN(rapid.Map(rapid.String(), func(s string) string { return strings.TrimRight(s, "\x00") }), n, n).Draw(t, "text")
			}
			arrays = append(arrays, a)
		}
		one := write(t, arrays)
		if !bytes.Equal(one, write(t, arrays)) {
			t.Fatal("equal arrays gave different bytes")
		}
		got := must.Get(read(one))
		if diff := cmp.Diff(arrays, got, sameBits); diff != "" {
			t.Fatal(diff)
		}
	})
}

// TestBytesArePinned holds the format still: a change of it changes what results hash to.
func TestBytesArePinned(t *testing.T) {
	data := write(t, []npz.Array{{Name: "x", Shape: []int{2}, Float: []float64{1, 2}}})
	header := "\x93NUMPY\x01\x00\x76\x00{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }"
	i := bytes.Index(data, []byte("\x93NUMPY"))
	if i < 0 || !bytes.HasPrefix(data[i:], []byte(header)) {
		t.Fatalf("npy header not found in %q", data)
	}
	if data[i+127] != '\n' || binary.LittleEndian.Uint64(data[i+128:]) != math.Float64bits(1) {
		t.Error("elements do not begin at byte 128 of the npy file")
	}
	// Local header 30 + name 5, npy 128 + 16, directory 46 + name 5, end 22: no extra fields.
	must.Check(t, len(data), 252, "bytes")
}

// TestNumpy: numpy reads our files, and we read its own, or say why not.
func TestNumpy(t *testing.T) {
	dir := t.TempDir()
	bad := []struct{ what, save string }{
		{"Fortran order", "x=numpy.asfortranarray(numpy.arange(6.).reshape(2, 3))"}, {"'<f4'", "x=numpy.zeros(3, 'f4')"},
		{"'|O'", "x=numpy.array([{}])"}, {"|b1", "x=numpy.array([True])"},
	}
	must.Do(t, os.WriteFile(filepath.Join(dir, "ours.npz"), write(t, sample()), 0o666))
	script := `
import math
z = numpy.load(path + '/ours.npz')
assert list(z.keys()) == ['atoms', 'labels', 'names', 'scalar', 'none', 'metadata ä'], list(z.keys())
a = z['atoms']
assert a.dtype == numpy.float64 and a.shape == (2, 2, 2), a
assert a.tolist() == [[[1, -2.5], [math.inf, 5e-324]], [[-0.0, 1e300], [0.1, 3]]], a
assert math.copysign(1, a[1, 0, 0]) == -1
assert z['labels'].dtype == numpy.int64 and z['labels'].tolist() == [0, -7, 2**62]
assert z['names'].tolist() == [['', 'naïve', 'a\0b🙂']], z['names']
assert z['scalar'].shape == () and float(z['scalar']) == 4
assert z['none'].shape == (0, 5)
assert z['metadata ä'].item() == '{"alpha": 0.5}'
for save in (numpy.savez, numpy.savez_compressed):
    save(path + '/' + save.__name__, x=numpy.arange(6.).reshape(2, 3) / 4, k=numpy.array([[3], [-1]]), s=numpy.array('héllo'), zeros=numpy.zeros(50000))
`
	for k, c := range bad {
		script += fmt.Sprintf("numpy.savez(path + '/%d', %s)\n", k, c.save)
	}
	numpy(t, dir, script) // once: it takes half a second to start
	for _, save := range []string{"savez", "savez_compressed"} {
		t.Run(save, func(t *testing.T) {
			data := must.Get(os.ReadFile(filepath.Join(dir, save+".npz")))
			got := must.Get(read(data))
			want := []npz.Array{
				{Name: "x", Shape: []int{2, 3}, Float: []float64{0, 0.25, 0.5, 0.75, 1, 1.25}},
				{Name: "k", Shape: []int{2, 1}, Int: []int{3, -1}},
				npz.Scalar("s", "héllo"),
			}
			must.Equal(t, len(got), len(want)+1, "arrays")
			if diff := cmp.Diff(want, got[:len(want)], sameBits); diff != "" {
				t.Error(diff)
			}
			must.Same(t, got[len(want)], npz.Array{Name: "zeros", Shape: []int{50000}, Float: make([]float64, 50000)}, "many zeros")
		})
	}
	for k, c := range bad {
		t.Run(c.what, func(t *testing.T) {
			data := must.Get(os.ReadFile(filepath.Join(dir, fmt.Sprintf("%d.npz", k))))
			if _, err := read(data); !errors.Is(err, npz.ErrFormat) || !strings.Contains(err.Error(), strings.Trim(c.what, "'")) {
				t.Errorf("error %v, want one about %s", err, c.what)
			}
		})
	}
}

// numpy runs a Python script with numpy and the path at hand.
func numpy(t *testing.T, path, script string) {
	t.Helper()
	out, err := exec.Command(sharedtest.NumPy(t), "-c", "import sys, numpy\npath = sys.argv[1]\n"+script, path).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// TestNpyioReads has another Go reader look at the numbers.
func TestNpyioReads(t *testing.T) {
	data := write(t, sample())
	r := must.Get(sbinet.NewReader(bytes.NewReader(data), int64(len(data))))
	var atoms []float64
	must.Do(t, r.Read("atoms.npy", &atoms))
	if diff := cmp.Diff(sample()[0].Float, atoms, sameBits); diff != "" {
		t.Error(diff)
	}
	var labels []int64
	must.Do(t, r.Read("labels.npy", &labels))
	if diff := cmp.Diff([]int64{0, -7, 1 << 62}, labels); diff != "" {
		t.Error(diff)
	}
}

func TestWriteRefuses(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	many := make([]string, 300)
	many[0] = long
	for name, arrays := range map[string][]npz.Array{
		"no name":          {{Float: []float64{1}}},
		"slash":            {{Name: "../x", Float: []float64{1}}},
		"ending":           {{Name: "x.npy", Float: []float64{1}}},
		"twice":            {npz.Scalar("x", ""), npz.Scalar("x", "")},
		"nothing set":      {{Name: "x"}},
		"two set":          {{Name: "x", Float: []float64{1}, Int: []int{1}}},
		"shape too small":  {{Name: "x", Shape: []int{2}, Float: []float64{1, 2, 3}}},
		"shape too large":  {{Name: "x", Shape: []int{2, 2}, Float: []float64{1, 2, 3}}},
		"negative extents": {{Name: "x", Shape: []int{-1, -2}, Float: []float64{1, 2}}},
		"overflow":         {{Name: "x", Shape: []int{1 << 40, 1 << 40}, Float: []float64{}}},
		"dimensions":       {{Name: "x", Shape: make([]int, 33), Float: []float64{}}},
		"invalid UTF-8":    {npz.Scalar("x", "\xff")},
		"trailing NUL":     {npz.Scalar("x", "a\x00")},
		"padding":          {{Name: "x", Shape: []int{300}, Text: many}},
	} {
		if err := npz.Write(&bytes.Buffer{}, arrays); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// npyFile returns an npy file with the header dictionary and the elements as given.
func npyFile(header, data string) string {
	var s strings.Builder
	s.WriteString("\x93NUMPY\x01\x00")
	s.Write(binary.LittleEndian.AppendUint16(nil, uint16(len(header))))
	s.WriteString(header + data)
	return s.String()
}

func archive(t testing.TB, method uint16, files ...string) []byte {
	t.Helper()
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	for k := 0; k < len(files); k += 2 {
		w := must.Get(z.CreateHeader(&zip.FileHeader{Name: files[k], Method: method}))
		must.Get(w.Write([]byte(files[k+1])))
	}
	must.Do(t, z.Close())
	return buf.Bytes()
}

func dict(descr, shape string) string {
	return "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }\n"
}

func TestReadRefuses(t *testing.T) {
	eight := "\x00\x00\x00\x00\x00\x00\xf0\x3f"
	good := npyFile(dict("<f8", "(1,)"), eight)
	if got, err := read(archive(t, zip.Store, "x.npy", good)); err != nil || got[0].Float[0] != 1 {
		t.Fatalf("the case that is not bad gives %v, %v", got, err)
	}
	for name, file := range map[string]string{
		"empty":                    "",
		"no magic":                 "NUMPY" + good[5:],
		"version 4":                "\x93NUMPY\x04\x00" + good[8:],
		"header cut":               good[:20],
		"long header of version 2": "\x93NUMPY\x02\x00\xff\xff\xff\x7f" + good[10:],
		"no dictionary":            npyFile("{}", eight),
		"dtype":                    npyFile(dict("<f4", "(1,)"), eight),
		"big-endian":               npyFile(dict(">f8", "(1,)"), eight),
		"text of no width":         npyFile(dict("<U0", "(1000000000,)"), ""),
		"text of huge width":       npyFile(dict("<U99999999999999999999", "(1,)"), eight),
		"too few elements":         npyFile(dict("<f8", "(2,)"), eight),
		"too many elements":        npyFile(dict("<f8", "()"), eight+eight),
		"huge shape":               npyFile(dict("<f8", "(1152921504606846976, 16)"), eight),
		"overflow to zero":         npyFile(dict("<f8", "(4294967296, 4294967296)"), ""),
		"zero after overflow":      npyFile(dict("<f8", "(9223372036854775807, 9223372036854775807, 0)"), ""),
		"extent out of range":      npyFile(dict("<f8", "(99999999999999999999,)"), eight),
		"33 dimensions":            npyFile(dict("<f8", "("+strings.Repeat("1,", 33)+")"), eight),
		"empty extent":             npyFile(dict("<f8", "(1,,1)"), eight),
		"surrogate":                npyFile(dict("<U1", "()"), "\x00\xd8\x00\x00"),
		"beyond Unicode":           npyFile(dict("<U1", "()"), "\x00\x00\x00\x80"),
	} {
		if _, err := read(archive(t, zip.Store, "x.npy", file)); !errors.Is(err, npz.ErrFormat) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	for name, data := range map[string][]byte{
		"no zip":         []byte("hello"),
		"nothing":        nil,
		"not an array":   archive(t, zip.Store, "x.txt", good),
		"name twice":     archive(t, zip.Store, "x.npy", good, "x.npy", good),
		"path as name":   archive(t, zip.Store, "../x.npy", good),
		"bomb":           archive(t, zip.Deflate, "x.npy", npyFile(dict("<f8", "(1000000,)"), strings.Repeat("\x00", 8000000))),
		"bytes after":    append(write(t, sample()), make([]byte, 1<<17)...),
		"cut in the end": write(t, sample())[:700],
	} {
		if _, err := read(data); !errors.Is(err, npz.ErrFormat) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// TestFlippedElementBytesAreNoticed: the CRC covers what the arrays are made of.
func TestFlippedElementBytesAreNoticed(t *testing.T) {
	data := write(t, []npz.Array{{Name: "x", Shape: []int{4}, Float: []float64{1, 2, 3, 4}}})
	start := bytes.Index(data, []byte("\x93NUMPY"))
	for i := start; i < start+128+32; i++ {
		bad := bytes.Clone(data)
		bad[i] ^= 0x20
		if _, err := read(bad); err == nil {
			t.Errorf("byte %d flipped unnoticed", i)
		}
	}
}

func TestFind(t *testing.T) {
	a, err := npz.Find(sample(), "labels")
	if err != nil || a.Int[1] != -7 {
		t.Errorf("Find = %v, %v", a, err)
	}
	must.Fail(t, must.Err(npz.Find(sample(), "label")), `"labels"`)
}

func ExampleWrite() {
	var file bytes.Buffer
	err := npz.Write(&file, []npz.Array{
		{Name: "C", Shape: []int{2, 2}, Float: []float64{0, 1, 1, 0}},
		npz.Scalar("method", "gdl"),
	})
	if err != nil {
		panic(err)
	}
	arrays, err := npz.Read(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		panic(err)
	}
	for _, a := range arrays {
		fmt.Println(a.Name, a.Shape, a.Float, a.Text)
	}
	// Output:
	// C [2 2] [0 1 1 0] []
	// method [] [] [gdl]
}
