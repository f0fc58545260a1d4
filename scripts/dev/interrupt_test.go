//go:build unix

package dev

import (
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"ogdl/internal/test/must"
)

// TestFetchInterrupted presses Ctrl-C in the middle of a download.
func TestFetchInterrupted(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	arrived, done := make(chan bool, 1), make(chan bool)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte("PK"))
		w.(http.Flusher).Flush()
		arrived <- true
		<-done
	}))
	defer server.Close()
	defer close(done)
	data := filepath.Join(t.TempDir(), "data")
	cmd := exec.Command(bash, "../fetch_tudatasets.sh", "-data", data, "--from", server.URL, "MUTAG")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	must.Do(t, cmd.Start())
	select {
	case <-arrived:
	case <-time.After(20 * time.Second):
		t.Error("no download")
	}
	if len(tree(t, data)) == 0 {
		t.Error("no temporary folder while downloading")
	}
	if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGINT); err != nil {
		t.Error(err)
	}
	cmd.Wait()
	if status := cmd.ProcessState.ExitCode(); status != 130 {
		t.Errorf("exit status %d, want 130", status)
	}
	wantTree(t, data, nil)
}
