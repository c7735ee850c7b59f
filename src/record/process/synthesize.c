/*
 * Start at synthesize_process(). Each record is written by record_begin(), its fields in the kernel's order, and
 * record_end(), which appends the zero trailer and sets the size. The input is text of /proc, see proc(5).
 */
#include "record/process/synthesize.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "elf/own_vdso.h"
#include "format/event.h"
#include "format/perf_abi.h"
#include "record/machine/cgroup_mount.h"
#include "record/machine/kernel_symbols.h"
#include "record/machine/proc_file.h"
#include "record/process/process_maps.h"
#include "record/process/target.h"

/*
 * PERF_RECORD_MISC_FORK_EXEC: on a synthesized FORK it tells readers not to copy the parent's mappings to the child; records of
 * the child's own mappings follow.
 */
enum { MISC_FORK_WITHOUT_MAPS = 1 << 13 };

enum { COMM_BYTES = 16 }; /* TASK_COMM_LEN; /proc may show more of a kernel worker's name, records never */

enum { PF_KTHREAD = 0x00200000 }; /* linux/sched.h; in field 9 of /proc/PID/stat */

static size_t record_begin(const struct synthesis *synthesis, uint32_t type, uint16_t misc)
{
	size_t start = synthesis->out->size;

	strbuf_add_u32(synthesis->out, type, false);
	strbuf_add_u16(synthesis->out, misc, false);
	strbuf_add_u16(synthesis->out, 0, false); /* size: set by record_end() */
	return start;
}

/* Adds a string with its terminator, padded to eight bytes as the kernel does. */
static void record_string(const struct synthesis *synthesis, const char *text)
{
	size_t size = strlen(text) + 1;

	strbuf_add(synthesis->out, text, size);
	strbuf_add_zeros(synthesis->out, (8 - size % 8) % 8);
}

static void record_end(const struct synthesis *synthesis, size_t start)
{
	uint16_t size;

	strbuf_add_zeros(synthesis->out, synthesis->trailer_bytes);
	size = (uint16_t)(synthesis->out->size - start); /* a path has at most PATH_MAX bytes: always fits */
	memcpy(synthesis->out->bytes + start + offsetof(struct perf_event_header, size), &size, sizeof(size));
}

static void add_kernel_mmap(const struct synthesis *synthesis, uint64_t start, uint64_t end,
			    uint64_t page_offset, const char *name)
{
	size_t record = record_begin(synthesis, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL);

	strbuf_add_u32(synthesis->out, UINT32_MAX, false); /* pid -1: the kernel of the host */
	strbuf_add_u32(synthesis->out, 0, false);
	strbuf_add_u64(synthesis->out, start, false);
	strbuf_add_u64(synthesis->out, end - start, false);
	strbuf_add_u64(synthesis->out, page_offset, false);
	record_string(synthesis, name);
	record_end(synthesis, record);
}

/* Notes the build-id from /sys/kernel/notes or /sys/module/NAME/notes/.note.gnu.build-id. */
static void note_kernel_build_id(const struct synthesis *synthesis, const char *name, const char *notes_path)
{
	struct build_id id = { 0 };

	if (build_id_read_notes(&id, notes_path, NULL) == 0)
		build_id_table_note_kernel(synthesis->files, name, &id);
}

/* A module's name has '_' where its file name may have '-'. */
static bool is_module_file(const char *path, size_t length, const char *module)
{
	const char *base = path;
	size_t i = 0;

	for (size_t at = 0; at < length; at++)
		if (path[at] == '/')
			base = path + at + 1;
	for (; module[i] && base + i < path + length; i++)
		if (module[i] != base[i] && !(module[i] == '_' && base[i] == '-'))
			return false;
	return !module[i] && base + i + 3 <= path + length && strncmp(base + i, ".ko", 3) == 0;
}

/* Finds the module's file in modules.dep ("kernel/fs/ext4/ext4.ko.xz: kernel/fs/jbd2/jbd2.ko.xz"); otherwise uses "[ext4]". */
static void module_path(char *path, size_t size, const char *module, const char *dependencies,
			const char *release)
{
	for (const char *line = dependencies; *line;) {
		size_t length = strcspn(line, ":\n");

		if (is_module_file(line, length, module)) {
			snprintf(path, size, "%s%s%s%.*s", line[0] == '/' ? "" : "/lib/modules/",
				 line[0] == '/' ? "" : release, line[0] == '/' ? "" : "/", (int)length, line);
			return;
		}
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
	snprintf(path, size, "[%s]", module);
}

/* "ext4 1048576 1 - Live 0xffffffffc0400000": proc(5), /proc/modules */
static void add_module(const struct synthesis *synthesis, const char *line, const char *dependencies,
		       const char *release)
{
	char name[128], path[PATH_MAX], notes[PATH_MAX];
	const char *size_text = line + strcspn(line, " ");
	const char *address_text = strstr(line, " 0x"); /* a tainting module has "(O)" after it */
	uint64_t size = strtoull(size_text, NULL, 10), address;

	address = address_text ? strtoull(address_text, NULL, 16) : 0;
	if (size == 0 || address == 0)
		return;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(line, " "), line);
	module_path(path, sizeof(path), name, dependencies, release);
	add_kernel_mmap(synthesis, address, address + size, 0, path);
	snprintf(notes, sizeof(notes), "%s/module/%s/notes/.note.gnu.build-id", synthesis->sys, name);
	note_kernel_build_id(synthesis, path, notes);
}

static void add_modules(const struct synthesis *synthesis)
{
	struct strbuf modules = STRBUF_INIT, dependencies = STRBUF_INIT;
	struct utsname system;
	char *rest = NULL;

	if (uname(&system) == 0 && proc_file_readf(&modules, NULL, "%s/modules", synthesis->proc) == 0) {
		/* Without this file, modules have only names. */
		proc_file_readf(&dependencies, NULL, "/lib/modules/%s/modules.dep", system.release);
		for (char *line = strtok_r(modules.bytes, "\n", &rest); line;
		     line = strtok_r(NULL, "\n", &rest))
			add_module(synthesis, line, dependencies.bytes ? dependencies.bytes : "",
				   system.release);
	}
	strbuf_fini(&modules);
	strbuf_fini(&dependencies);
}

bool synthesize_kernel(struct synthesis *synthesis)
{
	char name[64], notes[PATH_MAX];
	struct kernel_text text;

	if (kernel_text_find(&text, synthesis->proc, NULL) <= 0)
		return false;
	snprintf(name, sizeof(name), "[kernel.kallsyms]%s", text.reference);
	add_kernel_mmap(synthesis, text.start, text.end, text.reference_address, name);
	snprintf(notes, sizeof(notes), "%s/kernel/notes", synthesis->sys);
	note_kernel_build_id(synthesis, "[kernel.kallsyms]", notes);
	add_modules(synthesis);
	return true;
}

void synthesize_ksymbol(struct synthesis *synthesis, uint64_t address, uint32_t length, const char *name)
{
	size_t record = record_begin(synthesis, PERF_RECORD_KSYMBOL, 0);

	strbuf_add_u64(synthesis->out, address, false);
	strbuf_add_u32(synthesis->out, length, false);
	strbuf_add_u16(synthesis->out, PERF_RECORD_KSYMBOL_TYPE_BPF, false);
	strbuf_add_u16(synthesis->out, 0, false);
	record_string(synthesis, name);
	record_end(synthesis, record);
}

static void add_fork(const struct synthesis *synthesis, pid_t pid, pid_t tid, pid_t parent)
{
	size_t record;

	if (!synthesis->forks)
		return;
	record = record_begin(synthesis, PERF_RECORD_FORK, MISC_FORK_WITHOUT_MAPS);
	strbuf_add_u32(synthesis->out, (uint32_t)pid, false);
	strbuf_add_u32(synthesis->out, (uint32_t)parent, false);
	strbuf_add_u32(synthesis->out, (uint32_t)tid, false);
	strbuf_add_u32(synthesis->out, (uint32_t)parent, false);
	strbuf_add_u64(synthesis->out, 0, false); /* time */
	record_end(synthesis, record);
}

static void add_comm(const struct synthesis *synthesis, pid_t pid, pid_t tid, const char *comm)
{
	size_t record = record_begin(synthesis, PERF_RECORD_COMM, 0);

	strbuf_add_u32(synthesis->out, (uint32_t)pid, false);
	strbuf_add_u32(synthesis->out, (uint32_t)tid, false);
	record_string(synthesis, comm);
	record_end(synthesis, record);
}

/* { u32 pid, tid; u64 nr_namespaces; { u64 dev, inode; } namespaces[]; } */
void synthesize_namespaces(const struct synthesis *synthesis, pid_t pid, pid_t tid)
{
	size_t record;

	if (!synthesis->namespaces)
		return;
	record = record_begin(synthesis, PERF_RECORD_NAMESPACES, 0);
	strbuf_add_u32(synthesis->out, (uint32_t)pid, false);
	strbuf_add_u32(synthesis->out, (uint32_t)tid, false);
	strbuf_add_u64(synthesis->out, EVENT_NAMESPACES, false);
	for (size_t i = 0; i < EVENT_NAMESPACES; i++) {
		struct stat status;
		char path[PATH_MAX];

		snprintf(path, sizeof(path), "%s/%d/ns/%s", synthesis->proc, (int)tid,
			 event_namespace_names[i]);
		if (stat(path, &status) < 0)
			status = (struct stat){ 0 }; /* an older kernel does not have this kind */
		strbuf_add_u64(synthesis->out, status.st_dev, false);
		strbuf_add_u64(synthesis->out, status.st_ino, false);
	}
	record_end(synthesis, record);
}

/*
 * Mappings get a later time than the FORKs of the same moment: at a FORK hotspot's parser applies all mappings up to its time, of
 * whatever process, and then replaces the child's mappings by a copy of its parent's.
 */
static void set_time_behind_forks(const struct synthesis *synthesis)
{
	/* The trailer begins with PERF_SAMPLE_TID, followed by the time. */
	const uint64_t time_ns = 1;

	if (synthesis->forks && synthesis->trailer_bytes >= 2 * sizeof(time_ns))
		memcpy(synthesis->out->bytes + synthesis->out->size - synthesis->trailer_bytes +
			       sizeof(time_ns),
		       &time_ns, sizeof(time_ns));
}

struct mapping_visit {
	struct synthesis *synthesis;
	pid_t pid;
};

static void add_mapping(const struct process_mapping *mapping, void *context)
{
	const struct mapping_visit *visit = context;
	struct synthesis *synthesis = visit->synthesis;
	struct strbuf *out = synthesis->out;
	const char *path = mapping->path[0] ? mapping->path : "//anon";
	const struct build_id *id = &mapping->build_id;
	bool executable = mapping->prot & PROT_EXEC;
	size_t record =
		record_begin(synthesis, PERF_RECORD_MMAP2,
			     (uint16_t)(PERF_RECORD_MISC_USER | (id->size ? RECORD_MISC_MMAP_BUILD_ID : 0) |
					(executable ? 0 : RECORD_MISC_MMAP_DATA)));

	strbuf_add_u32(out, (uint32_t)visit->pid, false);
	strbuf_add_u32(out, (uint32_t)visit->pid, false);
	strbuf_add_u64(out, mapping->start, false);
	strbuf_add_u64(out, mapping->end - mapping->start, false);
	strbuf_add_u64(out, mapping->file_offset, false);
	if (id->size) {
		strbuf_add_u32(out, id->size,
			       false); /* u8 size, u8 and u16 reserved; the same bytes on little endian */
		strbuf_add(out, id->bytes, BUILD_ID_MAX_BYTES);
	} else {
		strbuf_add_u32(out, mapping->device_major, false);
		strbuf_add_u32(out, mapping->device_minor, false);
		strbuf_add_u64(out, mapping->inode, false);
		strbuf_add_u64(out, 0, false); /* inode generation */
	}
	strbuf_add_u32(out, mapping->prot, false);
	strbuf_add_u32(out, mapping->flags, false);
	record_string(synthesis, path);
	record_end(synthesis, record);
	set_time_behind_forks(synthesis);
	if (executable)
		build_id_table_note(synthesis->files, own_vdso_name(path, mapping->start), visit->pid,
				    id->bytes, id->size);
	synthesis->mapping_count++;
}

struct process_facts { /* from /proc/PID/stat, proc(5) */
	char comm[COMM_BYTES];
	pid_t parent;
	bool kernel_thread;
};

/* The value of field `field` (proc(5) counts from 1); `text` begins with field 3. */
static unsigned long stat_field(const char *text, int field)
{
	for (int at = 3; at < field; at++) {
		text += strspn(text, " ");
		text += strcspn(text, " ");
	}
	return strtoul(text, NULL, 10);
}

/* "PID (COMM) STATE PPID PGRP SESSION TTY TPGID FLAGS ..."; COMM may contain any character, also ')'. */
static int parse_stat(char *stat, struct process_facts *facts)
{
	char *open = strchr(stat, '(');
	char *close = strrchr(stat, ')');

	if (!open || !close || close < open)
		return -1;
	*close = '\0';
	snprintf(facts->comm, sizeof(facts->comm), "%s", open + 1);
	facts->parent = (pid_t)stat_field(close + 1, 4);
	facts->kernel_thread = stat_field(close + 1, 9) & PF_KTHREAD;
	return 0;
}

static int read_process(const struct synthesis *synthesis, pid_t pid, struct process_facts *facts)
{
	struct strbuf stat = STRBUF_INIT;
	int result;

	result = proc_file_readf(&stat, NULL, "%s/%d/stat", synthesis->proc, (int)pid);
	if (result == 0)
		result = parse_stat(stat.bytes, facts);
	strbuf_fini(&stat);
	return result;
}

static void add_thread(pid_t pid, pid_t tid, void *context)
{
	const struct synthesis *synthesis = context;
	struct strbuf comm = STRBUF_INIT;

	if (tid == pid)
		return; /* synthesize_process() writes the records of the main thread */
	if (proc_file_readf(&comm, NULL, "%s/%d/task/%d/comm", synthesis->proc, (int)pid, (int)tid) == 0 &&
	    comm.size) {
		char name[COMM_BYTES];

		snprintf(name, sizeof(name), "%.*s", (int)strcspn(comm.bytes, "\n"), comm.bytes);
		add_fork(synthesis, pid, tid, pid);
		synthesize_namespaces(synthesis, pid, tid);
		add_comm(synthesis, pid, tid, name);
	}
	strbuf_fini(&comm);
}

void synthesize_process(struct synthesis *synthesis, pid_t pid)
{
	struct mapping_visit visit = { .synthesis = synthesis, .pid = pid };
	struct process_facts facts = { 0 };

	if (read_process(synthesis, pid, &facts) < 0)
		return;
	synthesis->process_count++;
	add_fork(synthesis, pid, pid, facts.parent);
	synthesize_namespaces(synthesis, pid, pid);
	add_comm(synthesis, pid, pid, facts.comm);
	if (facts.kernel_thread)
		return;
	process_maps_each(synthesis->proc, pid, synthesis->data_mappings, add_mapping, &visit);
	target_each_thread(synthesis->proc, pid, add_thread, synthesis);
}

/* The cgroup's id as in samples, from name_to_handle_at(2) on its directory. 0 if the kernel does not tell it. */
static uint64_t cgroup_id(const char *path)
{
	union {
		struct file_handle handle;
		uint8_t bytes[sizeof(struct file_handle) + sizeof(uint64_t)];
	} file = { .handle = { .handle_bytes = sizeof(uint64_t) } };
	uint64_t id;
	int mount_id;

	if (name_to_handle_at(AT_FDCWD, path, &file.handle, &mount_id, 0) < 0)
		return 0;
	memcpy(&id, file.bytes + offsetof(struct file_handle, f_handle), sizeof(id));
	return id;
}

static void add_cgroup(const struct synthesis *synthesis, const char *directory, size_t root_length)
{
	const char *name = directory[root_length] ? directory + root_length : "/";
	uint64_t id = cgroup_id(directory);
	size_t record;

	if (!id)
		return;
	record = record_begin(synthesis, PERF_RECORD_CGROUP, 0);
	strbuf_add_u64(synthesis->out, id, false);
	record_string(synthesis, name);
	record_end(synthesis, record);
}

static void add_cgroups_below(const struct synthesis *synthesis, const char *directory, size_t root_length)
{
	const struct dirent *entry;
	DIR *entries = opendir(directory);

	if (!entries)
		return;
	add_cgroup(synthesis, directory, root_length);
	while ((entry = readdir(entries))) {
		char path[PATH_MAX];

		if (entry->d_type != DT_DIR || entry->d_name[0] == '.')
			continue;
		if ((size_t)snprintf(path, sizeof(path), "%s/%s", directory, entry->d_name) < sizeof(path))
			add_cgroups_below(synthesis, path, root_length);
	}
	closedir(entries);
}

void synthesize_cgroups(struct synthesis *synthesis)
{
	struct cgroup_mount mount;

	if (cgroup_mount_find(&mount, synthesis->proc))
		add_cgroups_below(synthesis, mount.root, strlen(mount.root));
}
