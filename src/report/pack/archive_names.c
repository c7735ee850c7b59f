/*
 * The kind of an object decides its name. add_path() makes recorded paths harmless: it drops empty parts and replaces "." and
 * ".." by "_". A pool of the names given so far keeps every name unique.
 */
#include "report/pack/archive_names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/str_pool.h"
#include "base/strbuf.h"
#include "base/xalloc.h"

struct archive_names {
	struct str_pool *taken;
};

struct archive_names *archive_names_create(void)
{
	struct archive_names *names = xcalloc(1, sizeof(*names));

	names->taken = str_pool_create();
	return names;
}

void archive_names_destroy(struct archive_names *names)
{
	str_pool_destroy(names->taken);
	free(names);
}

/* Adds a path without parts that would lead out of a directory. */
static void add_path(struct strbuf *name, const char *path)
{
	const size_t begin = name->size;

	while (*path) {
		const size_t length = strcspn(path, "/");

		if (length && name->size > begin)
			strbuf_addc(name, '/');
		if (length <= 2 && strspn(path, ".") == length && length)
			strbuf_addc(name, '_');
		else
			strbuf_add(name, path, length);
		path += length + (path[length] == '/');
	}
	if (name->size == begin)
		strbuf_addc(name, '_');
}

/* Adds a number to a name that is taken. */
static char *take_name(struct archive_names *names, struct strbuf *name)
{
	const size_t size = name->size;

	for (unsigned int number = 2; str_pool_find(names->taken, name->bytes) != UINT32_MAX; number++) {
		strbuf_cut(name, size);
		strbuf_addf(name, ".%u", number);
	}
	(void)str_pool_add(names->taken, name->bytes);
	return strbuf_detach(name);
}

/* As in perf's cache: a directory named by the build-id, in one named like the file. */
static void add_cached(struct strbuf *name, const struct symbol_object *object, const char *kind)
{
	static const char *const reserved[] = { "files/",     "kernel/",    "sources/",
						".build-id/", "perf.data/", "xprof-archive/" };
	char hex[BUILD_ID_HEX_SIZE];

	add_path(name, object->path);
	strbuf_addf(name, "/%s/%s", build_id_hex(&object->build_id, hex), kind);
	for (size_t i = 0; i < sizeof(reserved) / sizeof(*reserved); i++) {
		if (strncmp(name->bytes, reserved[i], strlen(reserved[i])) != 0)
			continue;
		strbuf_reset(name);
		strbuf_adds(name, "_/");
		add_path(name, object->path);
		strbuf_addf(name, "/%s/%s", hex, kind);
	}
}

char *archive_names_file(struct archive_names *names, const struct symbol_object *object)
{
	struct strbuf name = STRBUF_INIT;

	switch (object->kind) {
	case DSO_VDSO:
	case DSO_FILE:
		if (object->build_id.size) {
			add_cached(&name, object, object->kind == DSO_VDSO ? "vdso" : "elf");
			break;
		}
		strbuf_adds(&name, "files/");
		add_path(&name, object->path);
		break;
	case DSO_KERNEL:
	case DSO_MODULE:
		strbuf_adds(&name, "kernel/");
		add_path(&name, object->path);
		break;
	case DSO_ANON: strbuf_addf(&name, "files/tmp/perf-%" PRIu32 ".map", object->pid); break;
	case DSO_UNKNOWN: /* the recording itself has the names of these three */
	case DSO_SYMFILE:
	case DSO_KSYMBOL:
	case DSO_JITDUMP:
		strbuf_adds(&name, "files/");
		add_path(&name, object->path);
		break;
	}
	return take_name(names, &name);
}

char *archive_names_link(const struct symbol_object *object)
{
	char hex[BUILD_ID_HEX_SIZE];

	if ((object->kind != DSO_FILE && object->kind != DSO_VDSO) || object->build_id.size < 2)
		return NULL;
	build_id_hex(&object->build_id, hex);
	return xasprintf(".build-id/%.2s/%s", hex, hex + 2);
}
