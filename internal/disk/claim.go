package disk

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Claim says to other processes that this one is at work on what the key names, by a temporary
// file in the folder that stays until release removes it. busy tells that another
// living process of this host says so; then there is nothing to release. It is a hint that
// saves work, no lock: two processes may both see the other and be told that they are
// busy, a claim older than [TempAge] counts for nothing, and where nothing can be written nothing is
// claimed. The key holds no dots.
func Claim(fsys FS, dir, key string) (release func(), busy bool) {
	none := func() {}
	if claimed(fsys, dir, key) {
		return none, true
	}
	if MakeDir(fsys, dir) != nil {
		return none, false
	}
	path := filepath.Join(dir, claimName(os.Getpid(), key))
	f, err := fsys.Create(path)
	if err != nil {
		return none, false
	}
	_ = f.Close()
	release = func() { _ = fsys.Remove(path) } // what stays is swept
	// Of two that come at once at least one sees the other.
	if claimed(fsys, dir, key) {
		release()
		return none, true
	}
	return release, false
}

func claimName(pid int, key string) string {
	return TempPrefix + place + "." + strconv.Itoa(pid) + "." + key
}

// claimed reports whether another living process of this host claims the key.
func claimed(fsys FS, dir, key string) bool {
	entries, err := fsys.ReadDir(dir)
	if err != nil {
		return false
	}
	for _, e := range entries {
		name := e.Name()
		if strings.HasPrefix(name, TempPrefix+place+".") && strings.HasSuffix(name, "."+key) &&
			name != claimName(os.Getpid(), key) && !Leftover(fsys, dir, name) {
			return true
		}
	}
	return false
}
