/*
 * A hash table by path. Records fill it in during the recording; build_id_table_write() reads what is still
 * missing: first through /proc/PID/root, where a container's files are, then by the plain path. A vdso has no
 * file, so that of the recorder is read.
 */
#include "record/process/build_id_table.h"

#include <limits.h>
#include <link.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash_table.h"
#include "base/xalloc.h"
#include "elf/own_vdso.h"

/* With more files, those are dropped that were mapped long ago and whose build-ids are in the records of their mappings. */
enum { FILES_BEFORE_A_LOOK = 16384 };

struct mapped_file {
	char *path;
	struct build_id id;
	uint16_t cpumode;        /* PERF_RECORD_MISC_* */
	pid_t pid;               /* a process that had it mapped: its root directory may differ from ours */
	unsigned int generation; /* of the table, when the file was last noted */
	unsigned int look;       /* value of the table's `looks` at that time */
	bool is_told;            /* a record of its mapping has the build-id */
};

struct build_id_table {
	struct mapped_file *files;
	size_t count, capacity;
	struct hash_table by_path;
	unsigned int generation; /* incremented when a file of the recording begins */
	unsigned int looks;      /* number of searches for unused files so far */
	size_t look_at;          /* number of files at which the next search is due */
};

struct build_id_table *build_id_table_create(void)
{
	struct build_id_table *table = xcalloc(1, sizeof(*table));

	table->look_at = FILES_BEFORE_A_LOOK;
	return table;
}

void build_id_table_destroy(struct build_id_table *table)
{
	if (!table)
		return;
	for (size_t i = 0; i < table->count; i++)
		free(table->files[i].path);
	free(table->files);
	hash_table_fini(&table->by_path);
	free(table);
}

struct forgetting {
	unsigned int kept_generations;
	bool only_unused; /* drop files that are unused since the last search and told */
};

static bool is_kept(const struct build_id_table *table, const struct mapped_file *file,
		    const struct forgetting *rule)
{
	if (rule->only_unused)
		return !file->is_told || file->look == table->looks;
	return table->generation - file->generation <= rule->kept_generations;
}

static void forget(struct build_id_table *table, const struct forgetting *rule)
{
	size_t kept = 0;

	hash_table_clear(&table->by_path);
	for (size_t i = 0; i < table->count; i++) {
		const struct mapped_file file = table->files[i];

		if (!is_kept(table, &file, rule)) {
			free(file.path);
			continue;
		}
		hash_table_insert(&table->by_path, hash_bytes(file.path, strlen(file.path)), (uint32_t)kept);
		table->files[kept++] = file;
	}
	table->count = kept;
}

/* Programs that are compiled and run once have a new name each time: in a day they may be millions. */
static void forget_unused(struct build_id_table *table)
{
	const struct forgetting rule = { .only_unused = true };

	forget(table, &rule);
	table->looks++;
	table->look_at = table->count + FILES_BEFORE_A_LOOK;
}

static bool has_path(const void *files, uint32_t number, const void *path)
{
	return strcmp(((const struct mapped_file *)files)[number].path, path) == 0;
}

static struct mapped_file *file_of(struct build_id_table *table, const char *path)
{
	uint64_t hash = hash_bytes(path, strlen(path));
	uint32_t number = hash_table_find(&table->by_path, hash, has_path, table->files, path);

	if (number != HASH_TABLE_NONE)
		return &table->files[number];
	if (table->count >= table->look_at)
		forget_unused(table);
	table->files = array_grow(table->files, &table->capacity, table->count + 1, sizeof(*table->files));
	table->files[table->count] = (struct mapped_file){ .path = xstrdup(path) };
	hash_table_insert(&table->by_path, hash, (uint32_t)table->count);
	return &table->files[table->count++];
}

static bool is_file(const char *path)
{
	return strcmp(path, "[vdso]") == 0 || strcmp(path, OWN_VDSO_32BIT) == 0 ||
	       (path[0] == '/' && strncmp(path, "//anon", 6) != 0 && strncmp(path, "/dev/zero", 9) != 0 &&
		strncmp(path, "/anon_hugepage", 14) != 0 && strncmp(path, "/memfd:", 7) != 0 &&
		strncmp(path, "/SYSV", 5) != 0);
}

void build_id_table_note(struct build_id_table *table, const char *path, pid_t pid, const uint8_t *bytes,
			 size_t size)
{
	struct mapped_file *file;

	if (!is_file(path))
		return;
	file = file_of(table, path);
	file->cpumode = PERF_RECORD_MISC_USER;
	if (!file->pid || file->generation != table->generation)
		file->pid = pid;
	file->generation = table->generation;
	file->look = table->looks;
	if (bytes && size > 0 && size <= BUILD_ID_MAX_BYTES) {
		memset(&file->id, 0, sizeof(file->id));
		memcpy(file->id.bytes, bytes, size);
		file->id.size = (uint8_t)size;
		file->is_told = true;
	}
}

void build_id_table_note_kernel(struct build_id_table *table, const char *name, const struct build_id *id)
{
	struct mapped_file *file = file_of(table, name);

	file->cpumode = PERF_RECORD_MISC_KERNEL;
	file->id = *id;
	file->generation = table->generation;
}

void build_id_table_begin_file(struct build_id_table *table)
{
	table->generation++;
}

void build_id_table_forget_older(struct build_id_table *table, unsigned int kept_generations)
{
	const struct forgetting rule = { .kept_generations = kept_generations };

	forget(table, &rule);
}

/* All 64-bit processes have the same vdso, so read the notes of our own. */
static int read_vdso(struct dl_phdr_info *object, size_t size, void *id)
{
	(void)size;
	for (unsigned int i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
		const char *notes = (const char *)(object->dlpi_addr + segment->p_vaddr);

		if (segment->p_type == PT_PHDR || segment->p_type == PT_INTERP)
			return 0; /* a program or a library */
		if (segment->p_type == PT_NOTE && strstr(object->dlpi_name, "vdso") &&
		    build_id_from_notes(id, notes, segment->p_memsz, false, segment->p_align) == 0)
			return 1;
	}
	return 0;
}

static void read_vdso_32bit(struct build_id *id)
{
	struct elf_file *vdso = own_vdso_open_32bit(NULL);

	if (vdso)
		*id = *elf_file_build_id(vdso);
	elf_file_close(vdso);
}

static void read_missing(struct mapped_file *file)
{
	char path[PATH_MAX];

	if (strcmp(file->path, "[vdso]") == 0) {
		dl_iterate_phdr(read_vdso, &file->id);
		return;
	}
	if (strcmp(file->path, OWN_VDSO_32BIT) == 0) {
		read_vdso_32bit(&file->id);
		return;
	}
	snprintf(path, sizeof(path), "/proc/%d/root%s", (int)file->pid, file->path);
	if (build_id_read_file(&file->id, path, NULL) == 0)
		return;
	if (build_id_read_file(&file->id, file->path, NULL) != 0)
		file->id.size = 0;
}

void build_id_table_write(struct build_id_table *table, struct perf_writer *writer)
{
	for (size_t i = 0; i < table->count; i++) {
		struct mapped_file *file = &table->files[i];

		if (file->id.size == 0 && file->cpumode == PERF_RECORD_MISC_USER)
			read_missing(file);
		if (file->id.size > 0)
			perf_writer_add_build_id(writer, file->path, file->cpumode, file->id.bytes,
						 file->id.size);
	}
}
