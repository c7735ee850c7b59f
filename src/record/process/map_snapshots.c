/*
 * A process is watched from its first executable anonymous mapping on, or, if its parent has one, from the fork until it runs
 * another program. Its map is copied when it has been sampled. take_map() checks whether the file has grown. If the last bytes
 * copied are no longer at their place, the map was rewritten and is copied from its beginning. `recent`, `execs` and `forks` are
 * small caches that may forget; MAX_PROCESSES and the limits of the header bound the rest.
 */
#include "record/process/map_snapshots.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/hash_table.h"
#include "base/live_process.h"
#include "base/trusted_file.h"
#include "base/xalloc.h"
#include "format/event.h"
#include "format/map_piece.h"
#include "format/perf_abi.h"
#include "process/dso_table.h"

enum {
	MAX_PROCESSES = 1024, /* each keeps a descriptor of its /tmp open */
	TAIL_BYTES = 64,      /* last bytes taken from a map; a change shows that the map was rewritten */
	RECENT_PIDS = 4096,   /* slots for sampled processes, indexed by the lowest bits of the pid */
	SLACK_S = 2,          /* difference that is tolerated between times of files and of processes */
};

struct watched_process {
	uint32_t pid;
	bool sampled, ended;
	bool is_heir; /* its only executable anonymous memory is inherited */
	bool looked;  /* the members below are set */
	int tmp_fd;   /* its /tmp; -1 if it has none */
	uint32_t inner_pid;
	uid_t user;
	int64_t started_s; /* since the Epoch; an older map belongs to another process */

	ino_t inode; /* of the map read so far */
	uint64_t taken_bytes, kept_bytes;
	char tail[TAIL_BYTES]; /* the last bytes of it */
	size_t tail_bytes;
	bool cut;
};

struct recent_fork {
	uint32_t pid, parent;
};

struct map_snapshots {
	struct watched_process *items;
	size_t count, capacity;
	struct hash_table by_pid;
	uint32_t recent[RECENT_PIDS];
	/* pids of unwatched processes that called exec, indexed by their lowest bits */
	uint32_t execs[RECENT_PIDS];
	struct recent_fork forks[RECENT_PIDS];
	int64_t began_s;
	uint64_t kept_bytes;
	size_t cut_count;
};

struct map_snapshots *map_snapshots_create(void)
{
	struct map_snapshots *maps = xcalloc(1, sizeof(*maps));

	maps->began_s = time(NULL);
	return maps;
}

static void forget(struct watched_process *process)
{
	if (process->looked && process->tmp_fd >= 0)
		close(process->tmp_fd);
}

void map_snapshots_destroy(struct map_snapshots *maps)
{
	if (!maps)
		return;
	for (size_t i = 0; i < maps->count; i++)
		forget(&maps->items[i]);
	hash_table_fini(&maps->by_pid);
	free(maps->items);
	free(maps);
}

size_t map_snapshots_cut_count(const struct map_snapshots *maps)
{
	return maps->cut_count;
}

/* --- which processes ----------------------------------------------------------------------- */

static bool is_pid(const void *items, uint32_t item, const void *key)
{
	return ((const struct watched_process *)items)[item].pid == *(const uint32_t *)key;
}

static struct watched_process *find(const struct map_snapshots *maps, uint32_t pid)
{
	const uint32_t number = hash_table_find(&maps->by_pid, hash_u64(pid), is_pid, maps->items, &pid);

	return number == HASH_TABLE_NONE ? NULL : &maps->items[number];
}

static void add(struct map_snapshots *maps, uint32_t pid, bool is_heir)
{
	struct watched_process *process = find(maps, pid);

	if (!process && maps->count < MAX_PROCESSES) {
		maps->items = array_grow(maps->items, &maps->capacity, maps->count + 1, sizeof(*maps->items));
		process = &maps->items[maps->count];
		*process = (struct watched_process){ .pid = pid, .tmp_fd = -1, .is_heir = true };
		hash_table_insert(&maps->by_pid, hash_u64(pid), (uint32_t)maps->count++);
	}
	if (!process)
		return;
	process->is_heir &= is_heir;
	process->sampled |= maps->recent[pid % RECENT_PIDS] == pid;
}

/* Processes with run-time code are few, so each removal rebuilds the hash table. */
static void drop(struct map_snapshots *maps, size_t number)
{
	forget(&maps->items[number]);
	maps->items[number] = maps->items[--maps->count];
	hash_table_clear(&maps->by_pid);
	for (size_t i = 0; i < maps->count; i++)
		hash_table_insert(&maps->by_pid, hash_u64(maps->items[i].pid), (uint32_t)i);
}

static void note_mapping(struct map_snapshots *maps, const struct event *event)
{
	struct mmap_record mapping;

	if ((event->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_USER &&
	    !(event->misc & RECORD_MISC_MMAP_DATA) && event_decode_mmap(event, &mapping, NULL) == 0 &&
	    mapping.prot & PROT_EXEC && dso_table_is_anonymous(&mapping))
		add(maps, mapping.pid, false);
}

/*
 * A child shares its parent's memory until it executes another program (that exec may have been seen already); if it writes a
 * map, the map has the child's pid. Synthesized FORKs do not count, since records of each process's own mappings follow.
 */
static void note_fork(struct map_snapshots *maps, const struct event *event)
{
	const struct watched_process *parent;
	struct task_record task;

	if (event_decode_task(event, &task, NULL) < 0 || task.pid == task.parent_pid)
		return;
	maps->forks[task.pid % RECENT_PIDS] = (struct recent_fork){ task.pid, task.parent_pid };
	if (event->misc & RECORD_MISC_COMM_EXEC || maps->execs[task.pid % RECENT_PIDS] == task.pid)
		return;
	parent = find(maps, task.parent_pid);
	if (parent)
		add(maps, task.pid, true);
}

/*
 * Shells and builds under a program with run-time code start many programs without. Rings are drained one after the other, so the
 * records of a process that moves between CPUs arrive out of order: its own mappings may have been noted before the exec.
 */
static void note_exec(struct map_snapshots *maps, const struct event *event)
{
	const struct watched_process *process;
	struct comm_record comm;

	if (!(event->misc & RECORD_MISC_COMM_EXEC) || event_decode_comm(event, &comm, NULL) < 0)
		return;
	process = find(maps, comm.pid);
	if (!process)
		maps->execs[comm.pid % RECENT_PIDS] = comm.pid;
	else if (process->is_heir && !process->kept_bytes)
		drop(maps, (size_t)(process - maps->items));
}

static void note_exit(struct map_snapshots *maps, const struct event *event)
{
	struct watched_process *process;
	struct task_record task;

	if (event_decode_task(event, &task, NULL) < 0 || task.pid != task.tid)
		return;
	if (maps->execs[task.pid % RECENT_PIDS] == task.pid)
		maps->execs[task.pid % RECENT_PIDS] = 0;
	process = find(maps, task.pid);
	if (process)
		process->ended = true;
}

static void note(struct map_snapshots *maps, const struct event *event)
{
	switch (event->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2: note_mapping(maps, event); break;
	case PERF_RECORD_FORK: note_fork(maps, event); break;
	case PERF_RECORD_COMM: note_exec(maps, event); break;
	case PERF_RECORD_EXIT: note_exit(maps, event); break;
	default: break;
	}
}

void map_snapshots_note(struct map_snapshots *maps, const uint8_t *records, size_t size)
{
	struct perf_event_header header;

	for (; size >= sizeof(header); records += header.size, size -= header.size) {
		memcpy(&header, records, sizeof(header));
		if (header.size < sizeof(header) || header.size > size)
			return;
		note(maps, &(struct event){ .type = header.type,
					    .misc = header.misc,
					    .size = header.size,
					    .payload = records + sizeof(header),
					    .payload_size = header.size - sizeof(header) });
	}
}

/* --- where a map is --------------------------------------------------------------------------------- */

/*
 * For a process that ended before its map was looked for. Most have their parent's user and namespaces. In an inner PID namespace
 * the map's name has another pid, which is no longer known.
 */
static void look_at_parent(const struct map_snapshots *maps, struct watched_process *process, char *path,
			   size_t path_size)
{
	const struct recent_fork *fork = &maps->forks[process->pid % RECENT_PIDS];

	process->user = geteuid();
	/* Its start time is unknown; assume the recording's. */
	process->started_s = maps->began_s;
	if (fork->pid == process->pid && live_process_inner_pid(fork->parent) == fork->parent &&
	    live_process_user(fork->parent, &process->user))
		snprintf(path, path_size, "/proc/%u/root/tmp", fork->parent);
}

static void look(const struct map_snapshots *maps, struct watched_process *process)
{
	char path[64] = "/tmp";

	if (process->looked)
		return;
	process->looked = true;
	process->inner_pid = process->pid;
	if (live_process_user(process->pid, &process->user)) {
		process->inner_pid = live_process_inner_pid(process->pid);
		process->started_s = live_process_started_s(process->pid);
		snprintf(path, sizeof(path), "/proc/%u/root/tmp", process->pid);
	} else {
		look_at_parent(maps, process, path, sizeof(path));
	}
	process->tmp_fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

void map_snapshots_sampled(struct map_snapshots *maps, uint32_t pid)
{
	struct watched_process *process;

	if (maps->recent[pid % RECENT_PIDS] != pid)
		maps->recent[pid % RECENT_PIDS] = pid;
	if (!maps->count)
		return;
	process = find(maps, pid);
	if (!process || process->sampled)
		return;
	process->sampled = true;
	look(maps, process); /* it may end soon, and then its mount namespace is gone */
}

/* --- content of a map --------------------------------------------------------------------------------------- */

/* Whether the file still begins with the bytes taken so far. Compilers may rewrite maps (jcmd Compiler.perfmap). */
static bool goes_on(const struct watched_process *process, int fd, const struct stat *status)
{
	char tail[TAIL_BYTES];
	const size_t size = process->tail_bytes;

	return status->st_ino == process->inode && (uint64_t)status->st_size >= process->taken_bytes &&
	       pread(fd, tail, size, (off_t)(process->taken_bytes - size)) == (ssize_t)size &&
	       memcmp(tail, process->tail, size) == 0;
}

static void begin_anew(struct watched_process *process, const struct stat *status, struct strbuf *records)
{
	if (process->taken_bytes) /* the old map may end in the middle of a line */
		map_piece_append(records, process->pid, "\n", 1, 0);
	process->inode = status->st_ino;
	process->taken_bytes = 0;
	process->tail_bytes = 0;
}

static void cut(struct map_snapshots *maps, struct watched_process *process, struct strbuf *records)
{
	process->cut = true;
	maps->cut_count++;
	map_piece_append(records, process->pid, NULL, 0, MAP_PIECE_CUT);
}

static void keep(struct map_snapshots *maps, struct watched_process *process, const char *text, size_t size,
		 struct strbuf *records)
{
	const size_t tail = size < TAIL_BYTES ? size : TAIL_BYTES;

	map_piece_append(records, process->pid, text, size, 0);
	process->taken_bytes += size;
	process->kept_bytes += size;
	maps->kept_bytes += size;
	memcpy(process->tail, text + size - tail, tail);
	process->tail_bytes = tail;
}

/* Takes up to *left_bytes, and subtracts what it took. Returns whether there is more. */
static bool take_rest(struct map_snapshots *maps, struct watched_process *process, int fd,
		      struct strbuf *records, size_t *left_bytes)
{
	char text[MAP_PIECE_TEXT_MAX_BYTES];

	for (;;) {
		ssize_t got;

		if (*left_bytes == 0)
			return true;
		got = pread(fd, text, sizeof(text), (off_t)process->taken_bytes);
		if (got <= 0)
			return false;
		if (process->kept_bytes + (uint64_t)got > MAP_SNAPSHOT_MAX_BYTES ||
		    maps->kept_bytes + (uint64_t)got > MAP_SNAPSHOTS_MAX_BYTES) {
			cut(maps, process, records);
			return false;
		}
		keep(maps, process, text, (size_t)got, records);
		*left_bytes -= (size_t)got < *left_bytes ? (size_t)got : *left_bytes;
	}
}

/* Whether the map has changed and belongs to the process. */
static bool is_news(const struct watched_process *process, const struct stat *status)
{
	if (!S_ISREG(status->st_mode) || status->st_mtime + SLACK_S < process->started_s)
		return false;
	return status->st_ino != process->inode || (uint64_t)status->st_size != process->taken_bytes;
}

static bool take_map(struct map_snapshots *maps, struct watched_process *process, struct strbuf *records,
		     size_t *left_bytes)
{
	char name[32], path[96];
	struct stat status;
	bool more = false;
	int fd;

	look(maps, process);
	snprintf(name, sizeof(name), "perf-%u.map", process->inner_pid);
	if (process->cut || process->tmp_fd < 0 || fstatat(process->tmp_fd, name, &status, 0) < 0 ||
	    !is_news(process, &status))
		return false;
	snprintf(path, sizeof(path), "/proc/self/fd/%d/%s", process->tmp_fd, name);
	fd = trusted_file_open(path, process->user, NULL);
	if (fd < 0)
		return false;
	if (fstat(fd, &status) == 0) {
		if (!goes_on(process, fd, &status))
			begin_anew(process, &status, records);
		more = take_rest(maps, process, fd, records, left_bytes);
	}
	close(fd);
	return more;
}

static void append_last(const struct watched_process *process, struct strbuf *records)
{
	if (process->kept_bytes)
		map_piece_append(records, process->pid, NULL, 0,
				 MAP_PIECE_LAST | (process->cut ? MAP_PIECE_CUT : 0));
}

static bool take(struct map_snapshots *maps, struct strbuf *records, size_t most_bytes, bool all_end)
{
	size_t left_bytes = most_bytes;
	bool more = false;

	for (size_t i = 0; i < maps->count;) {
		struct watched_process *process = &maps->items[i];
		const bool ends = process->ended || all_end;
		const bool has_more = process->sampled && take_map(maps, process, records, &left_bytes);

		more |= has_more;
		if (ends && !has_more) {
			append_last(process, records);
			drop(maps, i);
		} else {
			i++;
		}
	}
	return more;
}

bool map_snapshots_take(struct map_snapshots *maps, struct strbuf *records, size_t most_bytes)
{
	return maps->count && take(maps, records, most_bytes, false);
}

bool map_snapshots_finish(struct map_snapshots *maps, struct strbuf *records, size_t most_bytes)
{
	return maps->count && take(maps, records, most_bytes, true);
}

bool map_snapshots_end_file(struct map_snapshots *maps, struct strbuf *records, size_t most_bytes)
{
	if (map_snapshots_take(maps, records, most_bytes))
		return true;
	for (size_t i = 0; i < maps->count; i++) {
		struct watched_process *process = &maps->items[i];

		append_last(process, records);
		process->kept_bytes = process->taken_bytes = 0;
		process->tail_bytes = 0;
		process->inode = 0;
		process->cut = false;
	}
	maps->kept_bytes = 0;
	return false;
}
