/*
 * Two pipes connect recorder and child. The child waits for a byte in the first, then calls execvp(). An errno comes
 * back through the second, which a successful exec closes.
 */
#include "record/workload.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EXEC_FAILED_STATUS = 127 }; /* as in shells; never seen, because the errno comes through the pipe */

static bool is_program(const char *path)
{
	struct stat status;

	return access(path, X_OK) == 0 && stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static bool is_on_path(const char *program)
{
	const char *directories = getenv("PATH");

	if (!directories)
		directories = "/bin:/usr/bin"; /* the default of execvp() */
	for (;;) {
		size_t length = strcspn(directories, ":");
		char path[PATH_MAX];

		snprintf(path, sizeof(path), "%.*s%s%s", (int)length, directories, length ? "/" : "",
			 program);
		if (is_program(path))
			return true;
		if (!directories[length])
			return false;
		directories += length + 1;
	}
}

static int explain_exec(const char *program, int exec_errno, struct error *err)
{
	if (exec_errno == ENOENT && !strchr(program, '/'))
		error_set(err, "%s: command not found on $PATH", program);
	else if (exec_errno == ENOEXEC)
		error_set(
			err,
			"cannot run %s: it is neither a program of this machine nor a script with a #! line",
			program);
	else if (exec_errno == EACCES)
		error_set(err, "cannot run %s: permission denied; is it a program ('chmod +x')?", program);
	else
		error_set_errno(err, exec_errno, "cannot run %s", program);
	if (err)
		err->errno_value = exec_errno;
	return -1;
}

int workload_check(const char *program, struct error *err)
{
	if (!strchr(program, '/'))
		return is_on_path(program) ? 0 : explain_exec(program, ENOENT, err);
	if (access(program, X_OK) < 0)
		return explain_exec(program, errno, err);
	return is_program(program) ? 0 : explain_exec(program, EISDIR, err);
}

/* Runs in the child: waits for the go-ahead, then executes the program. */
static _Noreturn void become_program(int go_fd, int failed_fd, char *const *argv, bool stdout_is_taken)
{
	ssize_t got;
	char go;
	int exec_errno;

	got = TEMP_FAILURE_RETRY(read(go_fd, &go, 1));
	if (got != 1)
		_exit(EXEC_FAILED_STATUS); /* the recorder has given up */
	if (stdout_is_taken)
		(void)dup2(STDERR_FILENO, STDOUT_FILENO);
	execvp(argv[0], argv);
	exec_errno = errno;
	if (write(failed_fd, &exec_errno, sizeof(exec_errno)) < 0)
		_exit(EXEC_FAILED_STATUS - 1);
	_exit(EXEC_FAILED_STATUS);
}

int workload_prepare(struct workload *workload, char *const *argv, bool stdout_is_taken, struct error *err)
{
	int go[2], failed[2];

	*workload = (struct workload){ .pid = -1, .go_fd = -1, .failed_fd = -1 };
	if (pipe2(go, O_CLOEXEC) < 0)
		return error_set_errno(err, errno, "cannot make a pipe to the workload");
	if (pipe2(failed, O_CLOEXEC) < 0) {
		error_set_errno(err, errno, "cannot make a pipe from the workload");
		close(go[0]);
		close(go[1]);
		return -1;
	}
	workload->pid = fork();
	if (workload->pid == 0) {
		close(go[1]);
		become_program(go[0], failed[1], argv, stdout_is_taken);
	}
	if (workload->pid < 0)
		error_set_errno(err, errno, "cannot fork the workload");
	close(go[0]);
	close(failed[1]);
	workload->go_fd = go[1];
	workload->failed_fd = failed[0];
	return workload->pid < 0 ? -1 : 0;
}

int workload_start(struct workload *workload, const char *program, struct error *err)
{
	int exec_errno;
	ssize_t got;

	if (write(workload->go_fd, "", 1) != 1)
		return error_set_errno(err, errno, "cannot start %s", program);
	workload->started = true;
	got = TEMP_FAILURE_RETRY(read(workload->failed_fd, &exec_errno, sizeof(exec_errno)));
	if (got == sizeof(exec_errno))
		return explain_exec(program, exec_errno, err);
	return 0;
}

static void reap(struct workload *workload, int flags)
{
	pid_t got;

	if (workload->ended || workload->pid <= 0)
		return;
	got = TEMP_FAILURE_RETRY(waitpid(workload->pid, &workload->wait_status, flags));
	workload->ended = got != 0;
}

bool workload_has_ended(struct workload *workload)
{
	reap(workload, WNOHANG);
	return workload->ended;
}

static void close_pipes(struct workload *workload)
{
	if (workload->go_fd >= 0)
		close(workload->go_fd);
	if (workload->failed_fd >= 0)
		close(workload->failed_fd);
	workload->go_fd = workload->failed_fd = -1;
}

void workload_terminate(struct workload *workload)
{
	close_pipes(workload);
	if (workload->pid <= 0 || !workload->started || workload_has_ended(workload))
		return;
	kill(workload->pid, SIGTERM);
	kill(workload->pid, SIGCONT);
}

void workload_stop(struct workload *workload)
{
	workload_terminate(workload);
	reap(workload, 0);
}

int workload_exit_status(const struct workload *workload)
{
	return WIFSIGNALED(workload->wait_status) ? 128 + WTERMSIG(workload->wait_status) :
						    WEXITSTATUS(workload->wait_status);
}
