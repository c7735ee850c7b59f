/* Blocks the signals and reads them from a signalfd(2); the header says which signals they are. */

#include "record/stop_signals.h"

#include <errno.h>
#include <sys/signalfd.h>
#include <unistd.h>

/* Without signals that a fault of the program itself raises (SIGSEGV and others), or that only stop it (SIGTSTP). */
static const int ending_signals[] = { SIGHUP,  SIGQUIT, SIGUSR1, SIGALRM, SIGVTALRM,
				      SIGPROF, SIGIO,   SIGPWR,  SIGXCPU, SIGSTKFLT };
static const int ignored_signals[STOP_SIGNALS_IGNORED] = { SIGPIPE, SIGXFSZ, SIGUSR2 };

static void add_unless_ignored(sigset_t *set, int number)
{
	struct sigaction action;

	if (sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_DFL)
		sigaddset(set, number);
}

static void find_stopping(sigset_t *set)
{
	sigemptyset(set);
	/* Taken even if ignored: shells ignore SIGINT for background commands, but a script that sends it means the recorder. */
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	for (size_t i = 0; i < sizeof(ending_signals) / sizeof(ending_signals[0]); i++)
		add_unless_ignored(set, ending_signals[i]);
	for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
		add_unless_ignored(set, number);
}

int stop_signals_take(struct stop_signals *signals, struct error *err)
{
	const struct sigaction ignore = { .sa_handler = SIG_IGN }, usual = { .sa_handler = SIG_DFL };
	sigset_t watched;

	find_stopping(&signals->stopping);
	watched = signals->stopping;
	sigaddset(&watched, SIGCHLD);
	for (int i = 0; i < STOP_SIGNALS_IGNORED; i++) {
		const bool is_taken = signals->takes_switch && ignored_signals[i] == SIGUSR2;

		sigaction(ignored_signals[i], is_taken ? &usual : &ignore, &signals->old_ignored[i]);
		if (is_taken)
			sigaddset(&watched, SIGUSR2);
	}
	/* If SIGCHLD is ignored, the kernel discards the exit status of children. */
	sigaction(SIGCHLD, &usual, &signals->old_child);
	sigprocmask(SIG_BLOCK, &watched, &signals->old_mask);
	signals->fd = signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
	return signals->fd < 0 ? error_set_errno(err, errno, "cannot watch for signals") : 0;
}

bool stop_signals_read(struct stop_signals *signals)
{
	struct signalfd_siginfo signal;
	bool asked = false;

	while (read(signals->fd, &signal, sizeof(signal)) == sizeof(signal)) {
		if (signal.ssi_signo == SIGCHLD)
			continue;
		if (signal.ssi_signo == SIGUSR2) {
			signals->switch_asked = true;
			continue;
		}
		asked = true;
		if (!signals->asked)
			signals->asked = (int)signal.ssi_signo;
	}
	return asked;
}

bool stop_signals_are_pending(const struct stop_signals *signals)
{
	sigset_t pending;

	return sigpending(&pending) == 0 && sigandset(&pending, &pending, &signals->stopping) == 0 &&
	       !sigisemptyset(&pending);
}

void stop_signals_release(struct stop_signals *signals)
{
	if (signals->fd < 0)
		return;
	close(signals->fd);
	signals->fd = -1;
	for (int i = 0; i < STOP_SIGNALS_IGNORED; i++)
		sigaction(ignored_signals[i], &signals->old_ignored[i], NULL);
	sigaction(SIGCHLD, &signals->old_child, NULL);
	sigprocmask(SIG_SETMASK, &signals->old_mask, NULL);
}
