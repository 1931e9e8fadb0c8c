//go:build unix

package exectool

import (
	"os/exec"
	"syscall"
)

// ownGroup puts the program in a process group of its own, which is killed as a whole at the
// deadline: a script's children must not outlive it.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
