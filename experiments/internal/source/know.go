package source

import (
	"context"
	"fmt"
	"io"

	"ogdl/datasets/loader"
	"ogdl/experiments/internal/spec"
)

// Know finds users' folders, next to the configuration or among the data sets, and the digests of
// their graphs. A run reads all folders and keeps the graphs for its cells. The other verbs need
// only the digest, remembered from an earlier reading of the same files. With gone, missing data
// take the digest that was last read there, so that their finished cells count. Messages about
// unknown folders go to w.
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
