package run

import (
	"ogdl/datasets/loader"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/record"
)

// current reports whether a stored record holds the cell's number.
func current(c *spec.Cell, r *record.Record) bool {
	return r != nil && r.Status == record.OK && Agrees(c, r)
}

// Agrees reports whether a record has the identity of the cell, and the parameters that the cell asks for. The id says as much, but for
// defaults: if a default was changed without the method's version, new cells have the ids of old records. A parameter that
// the record does not name was added later, and its default keeps the numbers. A word such as "median" matches whatever number it became.
func Agrees(c *spec.Cell, r *record.Record) bool {
	for _, q := range c.Method.Parameters() {
		asked, there := c.Params[q.Name]
		found, known := r.Params[q.Name]
		if !there || !known {
			continue
		}
		found = q.Restored(found)
		_, isWord := asked.(string)
		_, isText := found.(string)
		if resolved := isWord && !isText && q.Kind != spec.Text; found != asked && !resolved {
			return false
		}
	}
	return r.Method == c.Method.Name && r.MethodVersion == c.Method.Version && r.LoaderVersion == loader.Version &&
		r.Dataset == c.Dataset && r.BaseSeed == c.Seed && r.Repetition == c.Repetition
}
