/*
 * find_or_add() looks a DSO up by its identity: kind, path, name, pid, device, inode, a module's address, and its own build-id
 * if a record gave one. The functions below it classify mappings as perf does. All DSOs of one path are also in a list, by
 * which a build-id from the feature table reaches those that have none.
 */
#include "process/dso_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/arena.h"
#include "base/hash_table.h"
#include "base/str_pool.h"
#include "base/xalloc.h"
#include "elf/own_vdso.h"

static const char kernel_path[] = "[kernel.kallsyms]";

/* simpleperf's map_flags::PROT_JIT_SYMFILE_MAP: a file with several pieces, whose symbols are by runtime address. */
enum { PROT_JIT_SYMFILE = 0x4000 };

struct entry {
	struct dso dso;
	bool has_own_build_id;    /* a record gave it, so it is part of the identity */
	uint32_t older_same_path; /* HASH_TABLE_NONE if none */
};

struct path_entry {
	uint32_t path;            /* number of a string */
	struct build_id build_id; /* of the feature table, for DSOs that have no own one; size 0: none */
	uint32_t newest_dso;      /* HASH_TABLE_NONE if none yet */
};

struct dso_table {
	struct arena arena;
	struct str_pool *strings;
	struct entry **entries;
	size_t count, capacity;
	struct hash_table by_identity;
	struct path_entry *paths;
	size_t path_count, path_capacity;
	struct hash_table by_path;
	const char *kernel_name;
};

struct dso_table *dso_table_create(void)
{
	struct dso_table *table = xcalloc(1, sizeof(*table));

	table->strings = str_pool_create();
	table->kernel_name = kernel_path;
	return table;
}

void dso_table_destroy(struct dso_table *table)
{
	if (!table)
		return;
	hash_table_fini(&table->by_path);
	free(table->paths);
	hash_table_fini(&table->by_identity);
	free(table->entries);
	str_pool_destroy(table->strings);
	arena_fini(&table->arena);
	free(table);
}

static const char *keep(struct dso_table *table, const char *text)
{
	return str_pool_text(table->strings, str_pool_add(table->strings, text));
}

static bool starts_with(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* --- identity ---------------------------------------------------------------- */

static bool same_identity(const void *items, uint32_t item, const void *key)
{
	struct entry *const *entries = items;
	const struct dso *dso = &entries[item]->dso, *wanted = key;

	return dso->kind == wanted->kind && dso->pid == wanted->pid && dso->inode == wanted->inode &&
	       dso->device_major == wanted->device_major && dso->device_minor == wanted->device_minor &&
	       strcmp(dso->path, wanted->path) == 0 && strcmp(dso->name, wanted->name) == 0 &&
	       (dso->kind != DSO_MODULE || dso->relocation_address == wanted->relocation_address) &&
	       entries[item]->has_own_build_id == (wanted->build_id.size > 0) &&
	       (!wanted->build_id.size || build_id_equal(&dso->build_id, &wanted->build_id));
}

static uint64_t identity_hash(const struct dso *dso)
{
	uint64_t hash = hash_bytes(dso->path, strlen(dso->path));

	hash = hash_combine(hash, dso->inode);
	hash = hash_combine(hash, (uint64_t)dso->device_major << 32 | dso->device_minor);
	hash = hash_combine(hash, (uint64_t)dso->pid << 8 | dso->kind);
	return hash_combine(hash, hash_bytes(dso->build_id.bytes, dso->build_id.size));
}

static bool same_path(const void *items, uint32_t item, const void *key)
{
	const struct path_entry *paths = items;
	const uint32_t *path = key;

	return paths[item].path == *path;
}

static struct path_entry *path_entry(struct dso_table *table, const char *path)
{
	uint32_t text = str_pool_add(table->strings, path);
	uint32_t found = hash_table_find(&table->by_path, hash_u64(text), same_path, table->paths, &text);

	if (found == HASH_TABLE_NONE) {
		found = (uint32_t)table->path_count++;
		table->paths = array_grow(table->paths, &table->path_capacity, table->path_count,
					  sizeof(*table->paths));
		table->paths[found] = (struct path_entry){ .path = text, .newest_dso = HASH_TABLE_NONE };
		hash_table_insert(&table->by_path, hash_u64(text), found);
	}
	return &table->paths[found];
}

/* Code that was made at run time has no build-id. */
static bool may_have_build_id(enum dso_kind kind)
{
	return kind != DSO_ANON && kind != DSO_KSYMBOL && kind != DSO_JITDUMP && kind != DSO_SYMFILE;
}

/* Adds a DSO like `wanted`, whose strings need not outlive the call. */
static struct entry *entry_add(struct dso_table *table, const struct dso *wanted)
{
	struct path_entry *path = path_entry(table, wanted->path);
	struct entry *entry = arena_alloc(&table->arena, sizeof(*entry));

	*entry = (struct entry){ .dso = *wanted,
				 .has_own_build_id = wanted->build_id.size > 0,
				 .older_same_path = path->newest_dso };
	entry->dso.number = (uint32_t)table->count;
	entry->dso.path = str_pool_text(table->strings, path->path);
	entry->dso.name = keep(table, wanted->name);
	if (!entry->has_own_build_id && may_have_build_id(wanted->kind))
		entry->dso.build_id = path->build_id;
	path->newest_dso = entry->dso.number;
	*ARRAY_ADD(table->entries, table->count, table->capacity) = entry;
	return entry;
}

static struct dso *find_or_add(struct dso_table *table, const struct dso *wanted)
{
	uint64_t hash = identity_hash(wanted);
	uint32_t found = hash_table_find(&table->by_identity, hash, same_identity, table->entries, wanted);
	struct entry *entry;

	if (found != HASH_TABLE_NONE)
		return &table->entries[found]->dso;
	entry = entry_add(table, wanted);
	hash_table_insert(&table->by_identity, hash, entry->dso.number);
	return &entry->dso;
}

/* --- user space -------------------------------------------------------------- */

/* perf's is_anon_memory() and is_no_dso_memory(), and in addition memfd, which JIT compilers use instead. */
bool dso_table_is_anonymous(const struct mmap_record *record)
{
	static const char *const prefixes[] = {
		"/dev/zero", "/anon_hugepage", "[stack", "/SYSV", "/memfd:", "[anon:",
	};
	size_t i;

	if (record->flags & MAP_HUGETLB || !strcmp(record->path, "//anon") || !strcmp(record->path, "[heap]"))
		return true;
	/* A quick test, since this is called for each mapping of each program that starts: most are files elsewhere. */
	if (record->path[0] == '/' && !strchr("daSm", record->path[1]))
		return false;
	for (i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (starts_with(record->path, prefixes[i]))
			return true;
	return false;
}

/* perf takes memfd and [anon:…] for files and shows their names. */
static bool is_named_by_path(const struct mmap_record *record)
{
	return starts_with(record->path, "/memfd:") || starts_with(record->path, "[anon:");
}

static struct dso *anonymous(struct dso_table *table, const struct mmap_record *record)
{
	struct dso wanted = { .kind = DSO_ANON, .path = record->path, .pid = record->pid };
	char name[32];

	if (record->prot & PROT_EXEC && !is_named_by_path(record)) {
		/* perf looks for "/tmp/perf-PID.map", and shows that file under this name. */
		snprintf(name, sizeof(name), "[JIT] tid %" PRId32, (int32_t)record->pid);
		wanted.path = "//anon";
		wanted.name = name;
	} else {
		wanted.name = base_name(record->path);
	}
	return find_or_add(table, &wanted);
}

static bool is_vdso(const char *path)
{
	return !strcmp(path, "[vdso]") || !strcmp(path, "[vdso32]") || !strcmp(path, "[vdsox32]");
}

/* Keeps the first process, which may be a service that still runs, and the one that started most recently. */
static struct dso *mapped_by(struct dso *dso, uint32_t pid)
{
	dso->mapped_by[dso->mapped_by[0] && dso->mapped_by[0] != pid] = pid;
	return dso;
}

struct dso *dso_table_user(struct dso_table *table, const struct mmap_record *record)
{
	struct dso wanted = { .kind = DSO_FILE, .path = record->path, .name = base_name(record->path) };

	if (dso_table_is_anonymous(record))
		return anonymous(table, record);
	if (record->build_id_size) {
		memcpy(wanted.build_id.bytes, record->build_id, record->build_id_size);
		wanted.build_id.size = record->build_id_size;
	}
	wanted.code_file_offset = record->file_offset; /* kept for simpleperf, which records only code */
	if (is_vdso(record->path)) {
		wanted.kind = DSO_VDSO;
		wanted.path = wanted.name = own_vdso_name(record->path, record->start);
	} else if (record->prot & PROT_JIT_SYMFILE) {
		wanted.kind = DSO_SYMFILE;
	} else if (record->path[0] != '/') {
		wanted.kind = DSO_UNKNOWN;
	} else if (!record->build_id_size) {
		wanted.device_major = record->device_major;
		wanted.device_minor = record->device_minor;
		wanted.inode = record->inode;
	}
	return mapped_by(find_or_add(table, &wanted), record->pid);
}

struct dso *dso_table_jitdump(struct dso_table *table, const char *path, uint32_t pid)
{
	struct dso wanted = { .kind = DSO_JITDUMP, .path = path, .name = base_name(path), .pid = pid };

	return find_or_add(table, &wanted);
}

/* --- kernel space ------------------------------------------------------------ */

/* The length of "…/NAME" in "…/NAME.ko", "…/NAME.ko.xz"; 0 if the path is not a module's. */
static size_t module_stem_length(const char *path)
{
	static const char *const endings[] = { ".ko", ".ko.gz", ".ko.xz", ".ko.zst" };
	size_t length = strlen(path), i;

	for (i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		size_t ending = strlen(endings[i]);

		if (length > ending && !strcmp(path + length - ending, endings[i]))
			return length - ending;
	}
	return 0;
}

/* "[ext4]" for "/lib/modules/…/ext4.ko.xz"; the kernel writes the '-' of a file name as '_'. */
static void module_name(const char *path, char *name, size_t size)
{
	const char *base = base_name(path);
	size_t stem = module_stem_length(path);
	char *c;

	if (!stem) {
		snprintf(name, size, "%s", base);
		return;
	}
	snprintf(name, size, "[%.*s]", (int)(path + stem - base), base);
	for (c = name; *c; c++)
		if (*c == '-')
			*c = '_';
}

static bool is_kernel_path(const char *path)
{
	return starts_with(path, "[kernel.kallsyms") ||
	       (path[0] == '/' && starts_with(base_name(path), "vmlinux"));
}

/* map__set_kallsyms_ref_reloc_sym(), tools/perf/util/symbol.c: an address of 0 means that kallsyms hid it. */
static struct dso *kernel(struct dso_table *table, const struct mmap_record *record, struct dso *wanted)
{
	const char *bracket = strchr(record->path, ']');
	struct dso *dso;

	wanted->kind = DSO_KERNEL;
	wanted->path = kernel_path;
	wanted->name = table->kernel_name;
	dso = find_or_add(table, wanted);
	if (record->file_offset && bracket && bracket[1]) {
		dso->relocation_symbol = keep(table, bracket + 1);
		dso->relocation_address = record->file_offset;
	}
	return dso;
}

struct dso *dso_table_kernel(struct dso_table *table, const struct mmap_record *record)
{
	struct dso wanted = { .kind = DSO_MODULE, .path = record->path };
	char name[128]; /* module names have at most 55 characters (MODULE_NAME_LEN) */

	if (starts_with(record->path, "[guest.kernel") || (record->path[0] != '/' && record->path[0] != '['))
		return NULL;
	if (record->build_id_size) {
		memcpy(wanted.build_id.bytes, record->build_id, record->build_id_size);
		wanted.build_id.size = record->build_id_size;
	}
	if (starts_with(record->path, "[kernel.kallsyms"))
		return kernel(table, record, &wanted);
	module_name(record->path, name, sizeof(name));
	wanted.name = name;
	wanted.relocation_address = record->start;
	return find_or_add(table, &wanted);
}

struct dso *dso_table_ksymbol(struct dso_table *table, const char *symbol, const char *shown_as)
{
	return find_or_add(table, &(struct dso){ .kind = DSO_KSYMBOL, .path = symbol, .name = shown_as });
}

/* --- build-ids --------------------------------------------------------------- */

/* perf shows a kernel whose build-id entry names a vmlinux as "[kernel.vmlinux]". */
static void name_kernel(struct dso_table *table, const char *path)
{
	size_t i;

	if (path[0] != '/' || table->kernel_name != kernel_path)
		return;
	table->kernel_name = "[kernel.vmlinux]";
	for (i = 0; i < table->count; i++)
		if (table->entries[i]->dso.kind == DSO_KERNEL)
			table->entries[i]->dso.name = table->kernel_name;
}

void dso_table_build_id(struct dso_table *table, const char *path, const struct build_id *build_id)
{
	bool is_kernel = is_kernel_path(path);
	struct path_entry *entry = path_entry(table, is_kernel ? kernel_path : path);
	uint32_t number;

	if (is_kernel)
		name_kernel(table, path);
	if (!build_id->size || entry->build_id.size)
		return;
	entry->build_id = *build_id;
	for (number = entry->newest_dso; number != HASH_TABLE_NONE;
	     number = table->entries[number]->older_same_path) {
		struct dso *dso = &table->entries[number]->dso;

		if (!dso->build_id.size && may_have_build_id(dso->kind))
			dso->build_id = *build_id;
	}
}

size_t dso_table_count(const struct dso_table *table)
{
	return table->count;
}

struct dso *dso_table_at(const struct dso_table *table, uint32_t number)
{
	return &table->entries[number]->dso;
}
