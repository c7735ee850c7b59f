/*
 * An object is opened when it gets its name, and written later, by its form: an excerpt of an ELF file, a list of names, or a
 * jitdump file with unused code cleared. Last comes the kallsyms file for perf, with the names of the kernel and its modules.
 */
#include "report/pack/archive_object.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/partition_point.h"
#include "base/strbuf.h"
#include "base/xalloc.h"
#include "report/pack/archive_excerpt.h"
#include "report/pack/archive_names.h"
#include "report/remedy/package_owner.h"
#include "symbol/debuginfod.h"
#include "symbol/recorded_file.h"

struct object {
	struct object_need *need;
	char *file;    /* NULL: nothing is kept */
	char *link;    /* .build-id/…, or NULL */
	char *answers; /* NULL: no source lines */
	/* Opened as soon as it has a name: a file that only a living process still has may be gone later. */
	struct elf_symbols *elf;
	struct jitdump *jitdump;
	enum recorded_file_state state;
};

struct archive_objects {
	const struct debug_file_search *search;
	struct object *items;
	size_t count;
	struct archive_names *names;
	struct distribution distribution;
	struct package_query *packages; /* of the objects */
};

static void open_elf(const struct archive_objects *objects, struct object *object, struct error *err)
{
	const struct symbol_object *recorded = &object->need->object;
	const struct recorded_file file = { .path = recorded->path,
					    .build_id = recorded->build_id,
					    .pids = recorded->pids,
					    .is_vdso = recorded->kind == DSO_VDSO };
	struct elf_file *elf = recorded_file_open(&file, objects->search, err);

	if (elf)
		object->elf = elf_symbols_open(elf, objects->search);
}

/* False, and why, if it could be opened while the recording was read but cannot be opened now. */
static bool open_object(const struct archive_objects *objects, struct object *object, struct error *err)
{
	switch (object->need->form) {
	case OBJECT_FORM_NONE: return false;
	case OBJECT_FORM_NAMES: return true;
	case OBJECT_FORM_ELF: open_elf(objects, object, err); return object->elf;
	case OBJECT_FORM_JITDUMP:
		object->jitdump = recorded_file_open_jitdump(object->need->object.path,
							     object->need->object.pid, objects->search, err);
		return object->jitdump;
	}
	return false;
}

static void prepare_object(struct archive_objects *objects, struct object_needs *needs, struct object *object)
{
	struct error err = { .errno_value = 0 };

	if (!open_object(objects, object, &err)) {
		if (object->need->form != OBJECT_FORM_NONE)
			object_need_set_origin(needs, object->need,
					       &(struct object_origin){ .form = OBJECT_FORM_NONE,
									.why = err.message });
		return;
	}
	object->file = archive_names_file(objects->names, &object->need->object);
	object->link = archive_names_link(&object->need->object);
	if (object->need->answers.place_count)
		object->answers = xasprintf("sources/%zu", (size_t)(object - objects->items));
}

static bool is_elf(const struct object *object)
{
	return object->need->object.kind == DSO_FILE;
}

/*
 * Facts that reports print about files without names: whether they exist, and which packages have their debug
 * symbols.
 */
static void find_packages(struct archive_objects *objects)
{
	objects->packages = xcalloc(objects->count + 1, sizeof(*objects->packages));
	for (size_t i = 0; i < objects->count; i++) {
		struct object *object = &objects->items[i];
		const struct recorded_file recorded = { .path = object->need->object.path,
							.build_id = object->need->object.build_id };

		if (!is_elf(object))
			continue;
		object->state = recorded_file_state(&recorded, objects->search);
		if (object->state == RECORDED_FILE_PRESENT && !(object->need->source && object->need->full))
			objects->packages[i].path = object->need->object.path;
	}
	distribution_identify(&objects->distribution, objects->search->symfs);
	package_owners_find(&objects->distribution, objects->packages, objects->count);
}

struct archive_objects *archive_objects_create(struct object_needs *needs,
					       const struct debug_file_search *search)
{
	struct archive_objects *objects = xcalloc(1, sizeof(*objects));

	objects->search = search;
	objects->names = archive_names_create();
	objects->count = object_needs_count(needs);
	objects->items = xcalloc(objects->count + 1, sizeof(*objects->items));
	for (size_t i = 0; i < objects->count; i++) {
		objects->items[i].need = object_needs_at(needs, i);
		prepare_object(objects, needs, &objects->items[i]);
	}
	find_packages(objects);
	return objects;
}

void archive_objects_destroy(struct archive_objects *objects)
{
	for (size_t i = 0; i < objects->count; i++) {
		free(objects->items[i].file);
		free(objects->items[i].link);
		free(objects->items[i].answers);
		elf_symbols_destroy(objects->items[i].elf);
		jitdump_close(objects->items[i].jitdump);
		free(objects->packages[i].package);
	}
	free(objects->packages);
	free(objects->items);
	archive_names_destroy(objects->names);
	free(objects);
}

static void list_facts(const struct archive_objects *objects, struct strbuf *list)
{
	struct strbuf distribution = STRBUF_INIT;

	distribution_describe(&objects->distribution, &distribution);
	symbol_archive_list_fact(list, "distribution", distribution.bytes);
	symbol_archive_list_fact(list, "debuginfod-servers", debuginfod_has_servers() ? "yes" : "no");
	strbuf_fini(&distribution);
}

void archive_objects_list(const struct archive_objects *objects, struct strbuf *list)
{
	list_facts(objects, list);
	for (size_t i = 0; i < objects->count; i++) {
		const struct object *object = &objects->items[i];

		symbol_archive_list_add(list,
					&(struct archived_object){ .object = object->need->object,
								   .form = object->need->form,
								   .file = object->file,
								   .answers = object->answers,
								   .source = object->need->source,
								   .why = object->need->why,
								   .state = object->state,
								   .full = object->need->full,
								   .package = objects->packages[i].package });
	}
}

const char *archive_objects_left_out(const struct archive_objects *objects, size_t number, const char **why)
{
	for (size_t i = 0; i < objects->count; i++) {
		const struct object_need *need = objects->items[i].need;

		if (objects->items[i].file || !need->why || number--)
			continue;
		*why = need->why;
		return need->object.path;
	}
	return NULL;
}

size_t archive_objects_count(const struct archive_objects *objects)
{
	size_t count = 0;

	for (size_t i = 0; i < objects->count; i++)
		count += objects->items[i].file != NULL;
	return count;
}

static int write_link(struct archive_writer *writer, const struct object *object, struct error *err)
{
	const char *slash = strrchr(object->file, '/');
	char *target;
	int result;

	if (!object->link)
		return 0;
	target = xasprintf("../../%.*s", (int)(slash - object->file), object->file);
	result = archive_writer_add_link(writer, object->link, target, err);
	free(target);
	return result;
}

/* --- lists of symbols, jitdump files ------------------------------------------------------------------- */

static int write_names(struct archive_writer *writer, const struct object *object, struct error *err)
{
	struct object_need *need = object->need;
	struct strbuf text = STRBUF_INIT;
	int result;

	object_need_sort_names(need);
	for (size_t i = 0; i < need->name_count; i++)
		strbuf_addf(&text, "%" PRIx64 " %" PRIx64 " %s\n", need->names[i].start, need->names[i].size,
			    need->names[i].name);
	result = archive_writer_add(writer, object->file, text.bytes ? text.bytes : "", text.size, err);
	strbuf_fini(&text);
	return result;
}

/* Was any instruction of it looked up? */
static bool is_hit(const struct jit_code *code, const uint64_t *file_offsets, size_t count)
{
	const size_t low = PARTITION_POINT(i, 0, count, file_offsets[i] < code->file_offset);

	return low < count && file_offsets[low] - code->file_offset < code->size;
}

static void clear(uint8_t *copy, const struct jit_bytes *all, const uint8_t *at, size_t size)
{
	if (size)
		memset(copy + (at - all->at), 0, size);
}

/*
 * Keeps all records, since they tell which code was where and when; clears instructions and lines of code that was not looked up.
 */
static int write_jitdump(struct archive_writer *writer, const struct object *object, struct error *err)
{
	const struct jit_bytes all = jitdump_bytes(object->jitdump);
	uint8_t *copy = xmalloc(all.size + 1);
	const uint64_t *items;
	size_t count;
	int result;

	memcpy(copy, all.at, all.size);
	items = object_need_sorted(object->need, OBJECT_NEED_NAME, &count);
	for (size_t i = 0; i < jitdump_code_count(object->jitdump); i++) {
		const struct jit_code *code = jitdump_code(object->jitdump, i);

		if (is_hit(code, items, count))
			continue;
		clear(copy, &all, code->instructions, (size_t)code->size);
		clear(copy, &all, code->line_entries.at, code->line_entries.size);
	}
	result = archive_writer_add(writer, object->file, copy, all.size, err);
	free(copy);
	return result;
}

static int write_answers(struct archive_writer *writer, const struct object *object, struct error *err)
{
	struct strbuf bytes = STRBUF_INIT;
	int result;

	if (!object->answers)
		return 0;
	source_answers_encode_file(&object->need->answers, &bytes);
	result = archive_writer_add(writer, object->answers, bytes.bytes, bytes.size, err);
	strbuf_fini(&bytes);
	return result;
}

/* --- the kernel's names for perf ------------------------------------------------------------------------------ */

struct kernel_line {
	uint64_t address;
	const char *name, *module; /* NULL: of the kernel proper */
};

static int compare_lines(const void *one, const void *other)
{
	const struct kernel_line *a = one, *b = other;

	return a->address < b->address ? -1 : a->address > b->address;
}

static const struct object_need *find_kernel(const struct archive_objects *objects)
{
	for (size_t i = 0; i < objects->count; i++)
		if (objects->items[i].need->object.kind == DSO_KERNEL && objects->items[i].file)
			return objects->items[i].need;
	return NULL;
}

static void add_lines(struct strbuf *text, struct kernel_line *lines, size_t count)
{
	if (count)
		qsort(lines, count, sizeof(*lines), compare_lines);
	for (size_t i = 0; i < count; i++)
		strbuf_addf(text, "%016" PRIx64 " T %s%s%s\n", lines[i].address, lines[i].name,
			    lines[i].module ? "\t" : "", lines[i].module ? lines[i].module : "");
}

static void make_kallsyms(const struct archive_objects *objects, const struct symbol_object *kernel,
			  struct strbuf *text)
{
	struct kernel_line *lines = NULL;
	size_t count = 0, capacity = 0;

	for (size_t i = 0; i < objects->count; i++) {
		const struct object_need *need = objects->items[i].need;
		const bool is_module = need->object.kind == DSO_MODULE;

		if (need->object.kind != DSO_KERNEL && !(is_module && need->object.path[0] == '['))
			continue;
		for (size_t j = 0; j < need->name_count; j++) {
			lines = array_grow(lines, &capacity, count + 2, sizeof(*lines));
			lines[count++] = (struct kernel_line){ need->names[j].start, need->names[j].name,
							       is_module ? need->object.path : NULL };
		}
	}
	lines = array_grow(lines, &capacity, count + 1, sizeof(*lines));
	if (kernel->relocation_symbol)
		lines[count++] =
			(struct kernel_line){ kernel->relocation_address, kernel->relocation_symbol, NULL };
	add_lines(text, lines, count);
	free(lines);
}

/* perf's cache has a kernel under its build-id, too, with a copy of /proc/kallsyms. */
static int write_kallsyms(const struct archive_objects *objects, struct archive_writer *writer,
			  struct error *err)
{
	const struct object_need *need = find_kernel(objects);
	char hex[BUILD_ID_HEX_SIZE];
	struct strbuf text = STRBUF_INIT;
	char *name, *link, *target;
	int result;

	if (!need || need->object.build_id.size < 2)
		return 0;
	build_id_hex(&need->object.build_id, hex);
	name = xasprintf("[kernel.kallsyms]/%s/kallsyms", hex);
	link = xasprintf(".build-id/%.2s/%s", hex, hex + 2);
	target = xasprintf("../../[kernel.kallsyms]/%s", hex);
	make_kallsyms(objects, &need->object, &text);
	result = archive_writer_add(writer, name, text.bytes ? text.bytes : "", text.size, err);
	if (result == 0)
		result = archive_writer_add_link(writer, link, target, err);
	strbuf_fini(&text);
	free(target);
	free(link);
	free(name);
	return result;
}

/* --- writing -------------------------------------------------------------------------------------------- */

static int write_object(const struct archive_objects *objects, struct archive_writer *writer,
			const struct object *object, struct error *err)
{
	switch (object->need->form) {
	case OBJECT_FORM_ELF:
		if (archive_excerpt_write(writer, object->file, object->need, object->elf, objects->search,
					  err) < 0)
			return -1;
		return write_link(writer, object, err);
	case OBJECT_FORM_NAMES: return write_names(writer, object, err);
	case OBJECT_FORM_JITDUMP: return write_jitdump(writer, object, err);
	case OBJECT_FORM_NONE: break;
	}
	return 0;
}

int archive_objects_write(struct archive_objects *objects, struct archive_writer *writer, struct error *err)
{
	for (size_t i = 0; i < objects->count; i++) {
		const struct object *object = &objects->items[i];

		if (!object->file)
			continue;
		if (write_object(objects, writer, object, err) < 0 || write_answers(writer, object, err) < 0)
			return -1;
	}
	return write_kallsyms(objects, writer, err);
}
