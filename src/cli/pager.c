/*
 * Forks the pager with a pipe as its input, then puts the pipe in the place of standard output. A second pipe, which a
 * successful exec closes, tells of a failure, so a missing pager falls back to plain output. pager_finish() undoes all of it
 * in reverse.
 */
#include "cli/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/xalloc.h"

struct pager {
	pid_t pid;
	int terminal_fd; /* the original standard output */
	struct sigaction old_int, old_quit, old_pipe;
};

static const char *pager_command(void)
{
	const char *command = getenv("XPROF_PAGER");

	if (!command)
		command = getenv("PAGER");
	if (!command)
		command = "less";
	return !*command || !strcmp(command, "cat") ? NULL : command;
}

/* Runs in the child. Reports a failed exec through `failure_fd`, which a successful exec closes. */
static void exec_pager(const char *command, int input_fd, int failure_fd)
{
	bool needs_shell = strpbrk(command, " \t|&;<>()$`\\\"'*?[#~=%") != NULL;
	int failure;

	dup2(input_fd, STDIN_FILENO);
	setenv("LESS", "FRX", 0); /* the user's own settings win */
	if (needs_shell)
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	else
		execlp(command, command, (char *)NULL);
	failure = errno;
	(void)!write(failure_fd, &failure, sizeof(failure));
	_exit(127);
}

/* Returns the child's pid, or -1 if it could not be started. */
static pid_t spawn_pager(const char *command, int input_fd)
{
	int failure_pipe[2], failure;
	pid_t pid;

	if (pipe2(failure_pipe, O_CLOEXEC))
		return -1;
	pid = fork();
	if (pid == 0)
		exec_pager(command, input_fd, failure_pipe[1]);
	close(failure_pipe[1]);
	if (pid > 0 && read(failure_pipe[0], &failure, sizeof(failure)) > 0) {
		waitpid(pid, NULL, 0);
		pid = -1;
	}
	close(failure_pipe[0]);
	return pid;
}

/*
 * SIGPIPE: it is no failure to leave the pager early. SIGINT, SIGQUIT: ^C also reaches the pager, which does not end from it. If
 * it killed this process, the shell and the pager would compete for the terminal.
 */
static void ignore_signals(struct pager *pager)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };

	sigaction(SIGPIPE, &ignore, &pager->old_pipe);
	sigaction(SIGINT, &ignore, &pager->old_int);
	sigaction(SIGQUIT, &ignore, &pager->old_quit);
}

static void restore_signals(const struct pager *pager)
{
	sigaction(SIGPIPE, &pager->old_pipe, NULL);
	sigaction(SIGINT, &pager->old_int, NULL);
	sigaction(SIGQUIT, &pager->old_quit, NULL);
}

struct pager *pager_start(bool wanted)
{
	const char *command = pager_command();
	struct pager *pager;
	int output_pipe[2];
	pid_t pid;

	if (!wanted || !command || !isatty(STDOUT_FILENO) || pipe2(output_pipe, O_CLOEXEC))
		return NULL;

	fflush(stdout);
	pid = spawn_pager(command, output_pipe[0]);
	close(output_pipe[0]);
	if (pid < 0) {
		close(output_pipe[1]);
		return NULL;
	}
	pager = xcalloc(1, sizeof(*pager));
	pager->pid = pid;
	pager->terminal_fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	dup2(output_pipe[1], STDOUT_FILENO);
	close(output_pipe[1]);
	ignore_signals(pager);
	return pager;
}

void pager_finish(struct pager *pager)
{
	if (!pager)
		return;
	if (fflush(stdout)) /* the user left early: unread output must not end up on the terminal */
		__fpurge(stdout);
	clearerr(stdout);
	dup2(pager->terminal_fd, STDOUT_FILENO); /* closes the pipe: the pager sees the end */
	close(pager->terminal_fd);
	(void)TEMP_FAILURE_RETRY(waitpid(pager->pid, NULL, 0));
	restore_signals(pager);
	free(pager);
}
