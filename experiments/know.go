package main

import (
	"context"
	"fmt"
	"io"

	"ogdl/datasets/loader"
)

// know finds users' folders, beside the configuration or among the data sets, and the digests of their graphs. A run reads them
// all, keeping the graphs for its cells; for the others a digest is enough that is remembered from a reading of
// the same files. gone says that data that are not there take the digest
// last read there: what is done stays. What is not known is told to w.
func (l *library) know(ctx context.Context, folders []*own, beside string, run, gone bool, w io.Writer) error {
	for _, x := range folders {
		if err := ctx.Err(); err != nil {
			return err
		}
		x.find(beside, l.dir)
		if err := l.knowOne(ctx, x, run, gone); err != nil {
			return err
		}
		if x.unknown != nil && !run { // the cells of a run tell it themselves
			fmt.Fprintf(w, "%s: %v\n", x.name, x.unknown)
		}
	}
	return nil
}

// knowOne finds the digest of one folder. Only the end of the context is an error.
func (l *library) knowOne(ctx context.Context, x *own, run, gone bool) (err error) {
	if x.missing != nil {
		x.unknown = x.missing
		if gone {
			x.digest = l.memory.last(x)
		}
		return nil
	}
	stamp, err := loader.Stamp(x.folder)
	if err == nil && !run {
		x.digest = l.memory.get(x, stamp)
	}
	switch {
	case err != nil || x.digest != "":
	case run:
		x.digest, err = l.digest(ctx, &cell{method: &method{input: reading(x)}, dataset: x.name, own: x})
	default:
		x.digest, err = x.readDigest(ctx)
	}
	if err != nil {
		x.unknown = err
		return ctx.Err()
	}
	if after, err := loader.Stamp(x.folder); err == nil && after == stamp {
		l.memory.put(x, stamp, x.digest)
	}
	return nil
}

// reading is how the graphs of a folder are read: one by one where no method needs all of them.
func reading(x *own) input {
	if x.loaded {
		return inputSpaces
	}
	return inputStream
}
