/*
 * kernel_player [-l LOG] SCRIPT COMMAND...: runs a recorder on the machine that the script describes, and writes the script's
 * records into its rings. README.md tells how. Exits with the command's status, or 125 if the command was not started.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "kernel/machine_files.h"
#include "kernel/player.h"

enum { NOT_STARTED = 125, BUSY_MS = 1, IDLE_MS = 20 };

struct preparation {
	const struct player *player;
	const char *directory;
};

static int prepare(void *context, struct error *err)
{
	const struct preparation *preparation = context;

	return machine_files_bind(preparation->player->machine, &preparation->player->script,
				  preparation->directory, err);
}

static int read_script(struct player *player, const char *path, struct error *err)
{
	FILE *in = fopen(path, "r");
	int result;

	if (!in)
		return error_set_errno(err, errno, "%s", path);
	result = play_script_read(&player->script, in, err);
	fclose(in);
	if (result < 0)
		return error_wrap(err, "%s", path);
	player->machine = machine_find(player->script.machine ? player->script.machine : "none");
	return player->machine ? 0 :
				 error_set(err, "%s: no machine is called %s", path, player->script.machine);
}

/* Runs until the command has ended. Returns its status. */
static int supervise(struct player *player)
{
	int status;

	for (;;) {
		const bool is_busy = player->poll_count || player->held_count || !player_is_done(player);
		struct pollfd entry = { .fd = player->notifier.fd, .events = POLLIN };
		struct seccomp_notif call;

		(void)poll(&entry, 1, is_busy ? BUSY_MS : IDLE_MS);
		while (entry.revents & POLLIN && notifier_next(&player->notifier, &call) > 0) {
			player_answer(player, &call);
			(void)poll(&entry, 1, 0);
		}
		player_play(player);
		player_answer_waiting(player);
		if (waitpid(player->notifier.child, &status, WNOHANG) == player->notifier.child)
			return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	}
}

static void summarize(const struct player *player)
{
	const size_t left = player->script.record_count - player->next_record;

	if (player->log)
		fprintf(player->log, "played %zu records, %zu had no event, %zu are left\n",
			player->next_record, player->dropped, left);
	if (player->is_playing && (left || player->dropped))
		fprintf(stderr, "kernel_player: %zu records had no event, %zu were not played\n",
			player->dropped, left);
}

static int play(struct player *player, char *const *command, struct error *err)
{
	char directory[] = "/tmp/kernel_player.XXXXXX";
	struct preparation preparation = { player, directory };
	char *remove;
	int status;

	if (!mkdtemp(directory))
		return error_set_errno(err, errno, "%s", directory);
	status = notifier_start(&player->notifier, command, prepare, &preparation, err);
	if (status == 0)
		status = supervise(player);
	remove = xasprintf("rm -rf %s", directory);
	if (system(remove) != 0) /* the mounts are gone with their namespace */
		fprintf(stderr, "kernel_player: %s is left\n", directory);
	free(remove);
	return status;
}

int main(int argc, char **argv)
{
	struct player player = { 0 };
	struct error err = { 0 };
	int option, status = -1;

	while ((option = getopt(argc, argv, "+l:")) == 'l')
		player.log = fopen(optarg, "we");
	if (option != -1 || argc - optind < 2) {
		fprintf(stderr, "usage: kernel_player [-l LOG] SCRIPT COMMAND...\n");
		return NOT_STARTED;
	}
	played_events_init(&player.events);
	strbuf_init(&player.bytes);
	if (read_script(&player, argv[optind], &err) == 0)
		status = play(&player, &argv[optind + 1], &err);
	if (status < 0)
		fprintf(stderr, "kernel_player: %s\n", err.message);
	else
		summarize(&player);
	if (player.log)
		fclose(player.log);
	played_events_fini(&player.events);
	strbuf_fini(&player.bytes);
	play_script_fini(&player.script);
	return status < 0 ? NOT_STARTED : status;
}
