/*
 * Code of run-time compilers: names from the perf map of the process, which the recording may contain, or names and lines
 * from a jitdump file. An archive stores the names of all objects that are not files in the form of a perf map.
 */
#include <elf.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "symbol/jitdump.h"
#include "symbol/perf_map.h"
#include "symbol/recorded_file.h"
#include "symbol/symbol_archive.h"
#include "symbol/symbol_source.h"

/* --- perf maps ------------------------------------------------------------------------------------------ */

struct mapped_names {
	struct symbol_source source;
	struct perf_map *map;
	/* the archived map; NULL: the map is in the recording or on this machine */
	const struct archived_object *archived;
};

static void take_map(struct mapped_names *names, struct perf_map *map)
{
	names->map = map;
	if (!map)
		return;
	names->source.form = OBJECT_FORM_NAMES;
	symbol_source_set_origin(&names->source, perf_map_path(map));
}

/* The map that the recorder stored, NULL if there is none. *whole: the recorder stored all of it. */
static struct perf_map *recorded_map(const struct symbol_source *source, bool *whole)
{
	const struct perf_map_source *maps = &source->environment->options->perf_maps;
	struct perf_map *map;
	size_t size;
	char *text = maps->text ? maps->text(maps->context, source->object->pid, &size, whole) : NULL;

	if (!text)
		return NULL;
	map = perf_map_from_text(text, size, "the recording");
	free(text);
	return map;
}

/* Process numbers of another machine mean nothing here. With --symfs, the user says that the files below it are right. */
static struct perf_map *map_in_tmp(struct symbol_source *source)
{
	const struct symbol_environment *environment = source->environment;

	if (!environment->search->is_of_other_host)
		return perf_map_open(source->object->pid, environment->options->symfs,
				     environment->options->perf_maps.recorded_until_s, &source->why);
	error_set(&source->why,
		  "the recording was made on another machine, so /tmp/perf-%u.map here belongs to another "
		  "process ('--symfs /' uses it anyway, '--symfs DIRECTORY' uses the one below DIRECTORY)",
		  source->object->pid);
	return NULL;
}

/* Prefers the map in the recording. If that is incomplete, the file may have more, provided it is the recorded process's. */
static void load_map(struct symbol_source *source)
{
	bool whole = false;
	struct perf_map *recorded = recorded_map(source, &whole);
	struct perf_map *map = whole ? NULL : map_in_tmp(source);

	if (map)
		perf_map_close(recorded);
	take_map((struct mapped_names *)source, map ? map : recorded);
}

static void load_archived_map(struct symbol_source *source)
{
	struct mapped_names *names = (struct mapped_names *)source;
	size_t size;
	char *text = symbol_archive_text(source->environment->options->archive, names->archived, &size,
					 &source->why);

	if (!text)
		return;
	take_map(names, perf_map_from_text(text, size, names->archived->file));
	free(text);
}

static struct symbol_map_entry *find_in_map(struct symbol_source *source, uint64_t address,
					    uint64_t *map_address)
{
	const struct mapped_names *names = (const struct mapped_names *)source;

	*map_address = address;
	return names->map ? symbol_map_find(perf_map_symbols(names->map), address) : NULL;
}

static void fini_map(struct symbol_source *source)
{
	perf_map_close(((struct mapped_names *)source)->map);
}

static struct symbol_source *create_mapped(const struct symbol_environment *environment,
					   const struct symbol_object *object,
					   const struct archived_object *archived)
{
	static const struct symbol_source_kind kind = { .load = load_map,
							.find = find_in_map,
							.fini = fini_map };
	static const struct symbol_source_kind archived_kind = { .load = load_archived_map,
								 .find = find_in_map,
								 .fini = fini_map };
	struct mapped_names *names = xcalloc(1, sizeof(*names));

	names->source = (struct symbol_source){ .kind = archived ? &archived_kind : &kind,
						.environment = environment,
						.object = object };
	names->archived = archived;
	return &names->source;
}

struct symbol_source *symbol_source_of_perf_map(const struct symbol_environment *environment,
						const struct symbol_object *object)
{
	return create_mapped(environment, object, NULL);
}

struct symbol_source *symbol_source_of_archive(const struct symbol_environment *environment,
					       const struct symbol_object *object,
					       const struct archived_object *archived)
{
	return create_mapped(environment, object, archived);
}

/* --- jitdump files ---------------------------------------------------------------------------------------- */

struct dumped_code {
	struct symbol_source source;
	struct jitdump *dump;
	struct symbol_map *map;    /* by file offset */
	struct source_frame frame; /* the last answer */
};

static void load_dump(struct symbol_source *source)
{
	struct dumped_code *code = (struct dumped_code *)source;
	struct jitdump *dump = recorded_file_open_jitdump(source->object->path, source->object->pid,
							  source->environment->search, &source->why);

	if (!dump)
		return;
	code->dump = dump;
	code->map = symbol_map_create();
	for (size_t i = 0; i < jitdump_code_count(dump); i++) {
		const struct jit_code *item = jitdump_code(dump, i);

		symbol_map_add(code->map, item->file_offset, item->size, item->name, STB_GLOBAL, 0, 0);
	}
	symbol_map_seal(code->map, SYMBOL_MAP_YOUNGEST, NULL, NULL);
	source->form = OBJECT_FORM_JITDUMP;
	symbol_source_set_origin(source, jitdump_path(dump));
}

static struct symbol_map_entry *find_in_dump(struct symbol_source *source, uint64_t address,
					     uint64_t *map_address)
{
	const struct dumped_code *code = (const struct dumped_code *)source;

	*map_address = address;
	return code->map ? symbol_map_find(code->map, address) : NULL;
}

/* Jitdump files have the line of an instruction, but not the functions that were inlined there. */
static size_t find_dumped_line(struct symbol_source *source, uint64_t address,
			       const struct source_frame **frames)
{
	struct dumped_code *code = (struct dumped_code *)source;
	const struct jit_code *item = code->dump ? jitdump_find(code->dump, address) : NULL;
	struct jit_line line;

	if (!item || !jitdump_line(code->dump, item, address - item->file_offset, &line))
		return 0;
	code->frame = (struct source_frame){ .file = line.file, .line = line.line };
	*frames = &code->frame;
	return 1;
}

static void fini_dump(struct symbol_source *source)
{
	struct dumped_code *code = (struct dumped_code *)source;

	symbol_map_destroy(code->map);
	jitdump_close(code->dump);
}

struct symbol_source *symbol_source_of_jitdump(const struct symbol_environment *environment,
					       const struct symbol_object *object)
{
	static const struct symbol_source_kind kind = {
		.load = load_dump, .find = find_in_dump, .find_line = find_dumped_line, .fini = fini_dump
	};
	struct dumped_code *code = xcalloc(1, sizeof(*code));

	code->source = (struct symbol_source){ .kind = &kind, .environment = environment, .object = object };
	return &code->source;
}
