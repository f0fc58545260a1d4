package source

import (
	"context"
	"fmt"
	"io"

	"ogdl/datasets/loader"
	"ogdl/experiments/internal/spec"
)

// Know finds users' folders, beside the configuration or among the data sets, and the digests of their graphs. A run reads them
// all, keeping the graphs for its cells; for the others a digest is enough that is remembered from a reading of
// the same files. gone says that data that are not there take the digest
// last read there: what is done stays. What is not known is written to w.
func (l *Library) Know(ctx context.Context, folders []*spec.Own, beside string, run, gone bool, w io.Writer) error {
	for _, x := range folders {
		if err := ctx.Err(); err != nil {
			return err
		}
		x.Find(beside, l.dir)
		if err := l.knowOne(ctx, x, run, gone); err != nil {
			return err
		}
		if x.Unknown != nil && !run { // the cells of a run tell it themselves
			fmt.Fprintf(w, "%s: %v\n", x.Name, x.Unknown)
		}
	}
	return nil
}

// knowOne finds the digest of one folder. Only the end of the context is an error.
func (l *Library) knowOne(ctx context.Context, x *spec.Own, run, gone bool) (err error) {
	if x.Missing != nil {
		x.Unknown = x.Missing
		if gone {
			x.Digest = l.Memory.get(x, "")
		}
		return nil
	}
	stamp, err := loader.Stamp(x.Folder)
	if err == nil && !run {
		x.Digest = l.Memory.get(x, stamp)
	}
	switch {
	case err != nil || x.Digest != "":
	case run:
		x.Digest, err = l.Digest(ctx, &spec.Cell{Method: &spec.Method{Input: reading(x)}, Dataset: x.Name, Own: x})
	default:
		x.Digest, err = x.ReadDigest(ctx)
	}
	if err != nil {
		x.Unknown = err
		return ctx.Err()
	}
	if after, err := loader.Stamp(x.Folder); err == nil && after == stamp {
		l.Memory.put(x, stamp, x.Digest)
	}
	return nil
}

// reading is how the graphs of a folder are read: one by one where no method needs all of them.
func reading(x *spec.Own) spec.Input {
	if x.Loaded {
		return spec.InputSpaces
	}
	return spec.InputStream
}
