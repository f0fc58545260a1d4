package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"ogdl/internal/disk"
	"ogdl/internal/npz"
)

// BlockSchema is the version of a block's layout that this code writes and reads.
const BlockSchema = 1

// Product is something that several cells need and that takes longer to compute than to
// read, such as a matrix of distances. It is computed in blocks and known by its content.
// Its folder is
//
//	DIR/store/products/<id[:2]>/<id>/head.json            the Product
//	DIR/store/products/<id[:2]>/<id>/<block>-<sum>.npz    a block; sum = the first 16 digits of its SHA-256
//	DIR/store/products/<id[:2]>/<id>/<block>.timing.json  time of the block
//
// Every file appears whole, by a rename. The names of blocks say what is in them, so that
// folders of several machines merge by copying; two files of one block (of two revisions of
// the program) hold the same numbers, and the first that is whole is read.
type Product struct {
	ID      string         `json:"id"`      // of kind and content; see NewProduct
	Kind    string         `json:"kind"`    // e.g. "gw_distances"
	Content map[string]any `json:"content"` // everything that decides its numbers
	Blocks  int            `json:"blocks"`
}

// NewProduct returns the product of that kind and content, with its identity: the [ID] of
// kind, content and number of blocks. It panics like ID.
func NewProduct(kind string, content map[string]any, blocks int) *Product {
	p := &Product{Kind: kind, Content: content, Blocks: blocks}
	p.ID = p.identity()
	return p
}

func (p *Product) identity() string {
	return ID(map[string]any{"kind": p.Kind, "content": p.Content, "blocks": p.Blocks})
}

// BlockTiming is the time of a block, with host and date. It differs from run to run.
type BlockTiming struct {
	ID         string    `json:"id"` // of the product
	Block      int       `json:"block"`
	Seconds    float64   `json:"seconds"`     // wall clock
	CPUSeconds float64   `json:"cpu_seconds"` // of the thread, where it is known; else 0
	Host       string    `json:"host"`
	Started    time.Time `json:"started"`
}

// blockHead is the text array that every block begins with.
type blockHead struct {
	Schema     int        `json:"schema"`
	Product    string     `json:"product"`
	Block      int        `json:"block"`
	Provenance Provenance `json:"provenance"` // the program that computed it
}

const (
	productFolder = "products"
	blockArray    = "block" // name of the array that holds a blockHead
	blockDigits   = 16      // of the sum in a block's name
	maxBlock      = 99999   // block numbers have five digits in names
)

func (s *Store) productDir(id string) string {
	return filepath.Join(s.root, productFolder, id[:min(2, len(id))], id)
}

// ProductPath returns where the head of that product is, or would be.
func (s *Store) ProductPath(id string) string {
	return filepath.Join(s.productDir(id), "head.json")
}

func (s *Store) blockTimingPath(id string, block int) string {
	return filepath.Join(s.productDir(id), fmt.Sprintf("%05d.timing.json", block))
}

func checkBlock(id string, block int) error {
	if err := checkID(id); err != nil {
		return err
	}
	if block < 0 || block > maxBlock {
		return fmt.Errorf("record: block %d of %s, want 0 to %d", block, id, maxBlock)
	}
	return nil
}

// Product reads the head of that id, with the errors of [Store.Get]. A head whose
// content does not have its id is corrupt.
func (s *Store) Product(id string) (*Product, error) {
	return read(s, s.ProductPath(id), id, func(p *Product) bool { return p.ID == id && p.identity() == id })
}

// PutProduct writes the head of a product, and replaces an older one. The head describes the
// blocks; they can be read without it. Errors: an id that does not fit the content, and errors of
// the file system.
func (s *Store) PutProduct(p *Product) error {
	if p.ID != p.identity() {
		return fmt.Errorf("record: product %s: the id is not that of its content", p.ID)
	}
	file, err := encode(p)
	if err != nil {
		return fmt.Errorf("record: product %s: %w", p.ID, err)
	}
	return s.put(disk.Data{Path: s.ProductPath(p.ID), Bytes: file})
}

// PutBlock stores a block: its arrays, the environment that computed them, and their timing (nil if
// not known; PutBlock sets ID and Block). The block appears last, complete and synced. Files of
// this block that turn out corrupt are removed. Errors: a bad id or block number, arrays that npz
// rejects, and errors of the file system, which name the path.
func (s *Store) PutBlock(id string, block int, arrays []npz.Array, where Provenance, cost *BlockTiming) error {
	if err := checkBlock(id, block); err != nil {
		return err
	}
	head, err := CanonicalJSON(blockHead{BlockSchema, id, block, where})
	if err != nil {
		return fmt.Errorf("record: block %d of %s: %w", block, id, err)
	}
	var file bytes.Buffer
	if err := npz.Write(&file, append([]npz.Array{npz.Scalar(blockArray, string(head))}, arrays...)); err != nil {
		return fmt.Errorf("record: block %d of %s: %w", block, id, err)
	}
	var files []disk.Data
	if cost != nil {
		cost.ID, cost.Block = id, block
		timing, err := encode(cost)
		if err != nil {
			return fmt.Errorf("record: timing of block %d of %s: %w", block, id, err)
		}
		files = append(files, disk.Data{Path: s.blockTimingPath(id, block), Bytes: timing})
	}
	path := filepath.Join(s.productDir(id), fmt.Sprintf("%05d-%s.npz", block, sumOf(file.Bytes())[:blockDigits]))
	if err := s.put(append(files, disk.Data{Path: path, Bytes: file.Bytes()})...); err != nil {
		return err
	}
	others, err := s.blockFiles(id, block)
	if err != nil {
		return err
	}
	for _, other := range others {
		if other == path {
			continue
		}
		if _, err := s.readBlock(other, id, block); errors.Is(err, ErrCorrupt) {
			if _, err := s.drop(other); err != nil {
				return err
			}
		}
	}
	return nil
}

// Block returns the arrays of a block, verified, with the errors of [Store.Get]. Of several files of the block one that is
// whole is enough. If none is, the error names them all.
func (s *Store) Block(id string, block int) ([]npz.Array, error) {
	if err := checkBlock(id, block); err != nil {
		return nil, err
	}
	paths, err := s.blockFiles(id, block)
	if err != nil {
		return nil, err
	}
	var errs []error
	for _, path := range paths {
		arrays, err := s.readBlock(path, id, block)
		if arrays != nil {
			return arrays, nil
		}
		errs = append(errs, err) // nil of a file that was removed since it was listed
	}
	return nil, errors.Join(errs...)
}

// blockFiles lists the files of a block, sorted.
func (s *Store) blockFiles(id string, block int) ([]string, error) {
	dir := s.productDir(id)
	entries, err := s.list(dir)
	if err != nil {
		return nil, err
	}
	var out []string
	prefix := fmt.Sprintf("%05d-", block)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), prefix) && strings.HasSuffix(e.Name(), ".npz") {
			out = append(out, filepath.Join(dir, e.Name()))
		}
	}
	return out, nil
}

// readBlock reads one file of a block; nil where it is not there.
func (s *Store) readBlock(path, id string, block int) ([]npz.Array, error) {
	data, err := s.load(path)
	if data == nil {
		return nil, err
	}
	return parseBlock(path, data, id, block)
}

// parseBlock reads the content of a file of that path. The result is nil only with an error.
func parseBlock(path string, data []byte, id string, block int) ([]npz.Array, error) {
	_, named, _ := strings.Cut(strings.TrimSuffix(filepath.Base(path), ".npz"), "-")
	if named != sumOf(data)[:blockDigits] {
		return nil, corrupt(path, "checksum does not match its name")
	}
	// From here on the file is as it was written; by whom is the question.
	arrays, err := npz.Read(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, corrupt(path, "%v", err)
	}
	if len(arrays) == 0 || arrays[0].Name != blockArray || len(arrays[0].Text) != 1 {
		return nil, corrupt(path, "does not begin with the text "+blockArray)
	}
	var head blockHead
	err = json.Unmarshal([]byte(arrays[0].Text[0]), &head) // fields of another type do not keep it from reading the schema
	switch {
	case head.Schema != BlockSchema && (err == nil || head.Schema != 0):
		return nil, &SchemaError{Path: path, Got: head.Schema, Want: BlockSchema}
	case err != nil:
		return nil, corrupt(path, "%v", err)
	case head.Product != id || head.Block != block:
		return nil, corrupt(path, "holds block %d of %s", head.Block, head.Product)
	}
	return arrays[1:], nil
}

// BlockTiming reads the timing of a block, with the errors of [Store.Get].
func (s *Store) BlockTiming(id string, block int) (*BlockTiming, error) {
	if err := checkBlock(id, block); err != nil {
		return nil, err
	}
	return read(s, s.blockTimingPath(id, block), id, func(t *BlockTiming) bool { return t.ID == id && t.Block == block })
}

// ProductCost sums up the times of a product's blocks, of all runs, and counts the blocks whose
// timing can be read.
func (s *Store) ProductCost(p *Product) (seconds, cpuSeconds float64, timed int) {
	for b := range p.Blocks {
		if t, _ := s.BlockTiming(p.ID, b); t != nil {
			seconds += t.Seconds
			cpuSeconds += t.CPUSeconds
			timed++
		}
	}
	return seconds, cpuSeconds, timed
}
