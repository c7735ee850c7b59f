/*
 * Reads the list into memory once, splits it in place and indexes it by object. Everything else (ELF files, texts, source
 * answers) is mapped from the archive when needed. Fields must have the same order in symbol_archive_list_add() and
 * add_object().
 */
#include "symbol/symbol_archive.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash_table.h"
#include "base/xalloc.h"

struct symbol_archive {
	const struct archive_reader *reader;
	char *list; /* split in place: strings point into it */
	const char *recording_name, *recording_file;
	struct archived_object *objects;
	size_t count, capacity;
	struct hash_table by_object;
	struct fact {
		const char *name, *value;
	} * facts;
	size_t fact_count, fact_capacity;
};

/* Indexed by enum dso_kind. DSO_KSYMBOL is missing: it has no symbol but itself. */
static const char *const kinds[] = {
	[DSO_FILE] = "elf",       [DSO_VDSO] = "vdso",       [DSO_KERNEL] = "kernel",
	[DSO_MODULE] = "module",  [DSO_ANON] = "perf-map",   [DSO_JITDUMP] = "jitdump",
	[DSO_UNKNOWN] = "listed", [DSO_SYMFILE] = "symfile",
};
static const char *const forms[] = { "none", "elf", "names", "jitdump" };
static const char *const states[] = { "present", "replaced", "gone", "unreadable", "unproved" };
static const char first_line[] = "xprof-archive\t1\t";

enum { FIELD_COUNT = 13 };

/* --- reading ------------------------------------------------------------------------------------- */

static int hex_digit(char c)
{
	return isdigit((unsigned char)c) ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static void unescape(char *text)
{
	char *out = text;

	for (const char *in = text; *in; in++) {
		if (*in == '%' && hex_digit(in[1]) >= 0 && hex_digit(in[2]) >= 0) {
			*out++ = (char)(hex_digit(in[1]) * 16 + hex_digit(in[2]));
			in += 2;
		} else {
			*out++ = *in;
		}
	}
	*out = '\0';
}

/* Returns the number of fields, at most FIELD_COUNT. */
static size_t cut_apart(char *line, char *fields[static FIELD_COUNT])
{
	size_t count = 0;

	while (line && count < FIELD_COUNT) {
		char *tab = strchr(line, '\t');

		if (tab)
			*tab = '\0';
		fields[count++] = line;
		line = tab ? tab + 1 : NULL;
	}
	for (size_t i = 0; i < count; i++)
		unescape(fields[i]);
	return count;
}

static int find_word(const char *const *words, size_t count, const char *word)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(words[i], word) == 0)
			return (int)i;
	return -1;
}

static const char *or_null(const char *text)
{
	return *text ? text : NULL;
}

static bool read_build_id(struct build_id *id, const char *hex)
{
	*id = (struct build_id){ .size = 0 };
	return !*hex || build_id_parse(id, hex, NULL) == 0;
}

static bool is_object(const void *items, uint32_t item, const void *key)
{
	return symbol_object_equal(&((const struct archived_object *)items)[item].object, key);
}

static void add_fact(struct symbol_archive *archive, const char *name, const char *value)
{
	*ARRAY_ADD(archive->facts, archive->fact_count, archive->fact_capacity) =
		(struct fact){ name, value };
}

/*
 * Fields: kind, build-id, pid, path, relocation address, form, file, file of source lines, source, why, state, full,
 * package.
 */
static bool add_object(struct symbol_archive *archive, char *line)
{
	struct archived_object object = { .form = OBJECT_FORM_NONE };
	char *fields[FIELD_COUNT];
	uint64_t hash;
	int kind, form, state;
	const size_t count = cut_apart(line, fields);

	if (count == 3 && strcmp(fields[0], "fact") == 0) {
		add_fact(archive, fields[1], fields[2]);
		return true;
	}
	if (count != FIELD_COUNT)
		return false;
	kind = find_word(kinds, sizeof(kinds) / sizeof(*kinds), fields[0]);
	form = find_word(forms, sizeof(forms) / sizeof(*forms), fields[5]);
	state = find_word(states, sizeof(states) / sizeof(*states), fields[10]);
	if (kind < 0 || form < 0 || state < 0 || !read_build_id(&object.object.build_id, fields[1]))
		return false;
	object.object.kind = (enum dso_kind)kind;
	object.object.pid = (uint32_t)strtoul(fields[2], NULL, 10);
	object.object.path = fields[3];
	object.object.relocation_address = strtoull(fields[4], NULL, 16);
	object.form = (enum object_form)form;
	object.file = or_null(fields[6]);
	object.answers = or_null(fields[7]);
	object.source = or_null(fields[8]);
	object.why = or_null(fields[9]);
	object.state = (enum recorded_file_state)state;
	object.full = strcmp(fields[11], "full") == 0;
	object.package = or_null(fields[12]);
	hash = symbol_object_hash(&object.object);
	if (hash_table_find(&archive->by_object, hash, is_object, archive->objects, &object.object) !=
	    HASH_TABLE_NONE)
		return true;
	hash_table_insert(&archive->by_object, hash, (uint32_t)archive->count);
	*ARRAY_ADD(archive->objects, archive->count, archive->capacity) = object;
	return true;
}

static char *next_line(char **next)
{
	char *line = *next, *end;

	if (!line || !*line)
		return NULL;
	end = strchr(line, '\n');
	if (end)
		*end = '\0';
	*next = end ? end + 1 : NULL;
	return line;
}

static int read_list(struct symbol_archive *archive, struct error *err)
{
	const char *path = archive_reader_path(archive->reader);
	char *next = archive->list, *line = next_line(&next), *fields[FIELD_COUNT];
	size_t number = 1;

	if (!line || strncmp(line, first_line, strlen(first_line)) != 0 || cut_apart(line, fields) != 4)
		return error_set(err,
				 "%s: its list (%s) was written by another version of xprof, or is damaged",
				 path, SYMBOL_ARCHIVE_LIST);
	archive->recording_name = fields[2];
	archive->recording_file = fields[3];
	while ((line = next_line(&next))) {
		number++;
		if (!add_object(archive, line))
			return error_set(err, "%s: line %zu of its list (%s) is damaged", path, number,
					 SYMBOL_ARCHIVE_LIST);
	}
	return 0;
}

/* Returns malloc()ed memory with a terminator. */
static char *take_text(struct archive_image *image, size_t *size)
{
	char *text = xmalloc(image->size + 1);

	if (image->bytes)
		memcpy(text, image->bytes, image->size);
	text[image->size] = '\0';
	*size = image->size;
	archive_image_unmap(image);
	return text;
}

static char *read_text(const struct archive_reader *reader, const char *name, size_t *size, struct error *err)
{
	struct archive_image image;

	switch (archive_reader_map(reader, name, &image, err)) {
	case 1: break;
	case 0:
		error_set(
			err,
			"%s has no file %s, so it is damaged, or was not made by 'xprof archive': unpack an "
			"archive of 'perf archive' into ~/.debug, or into a directory for --buildid-dir",
			archive_reader_path(reader), name);
		return NULL;
	default: return NULL;
	}
	return take_text(&image, size);
}

struct symbol_archive *symbol_archive_open(const struct archive_reader *reader, struct error *err)
{
	struct symbol_archive *archive = xcalloc(1, sizeof(*archive));
	size_t size;

	archive->reader = reader;
	archive->list = read_text(reader, SYMBOL_ARCHIVE_LIST, &size, err);
	if (archive->list && read_list(archive, err) == 0)
		return archive;
	symbol_archive_close(archive);
	return NULL;
}

void symbol_archive_close(struct symbol_archive *archive)
{
	if (!archive)
		return;
	hash_table_fini(&archive->by_object);
	free(archive->objects);
	free(archive->facts);
	free(archive->list);
	free(archive);
}

const char *symbol_archive_recording_name(const struct symbol_archive *archive)
{
	return archive->recording_name;
}

const char *symbol_archive_recording_file(const struct symbol_archive *archive)
{
	return archive->recording_file;
}

const char *symbol_archive_fact(const struct symbol_archive *archive, const char *name)
{
	for (size_t i = 0; i < archive->fact_count; i++)
		if (strcmp(archive->facts[i].name, name) == 0)
			return archive->facts[i].value;
	return NULL;
}

const struct archived_object *symbol_archive_find(const struct symbol_archive *archive,
						  const struct symbol_object *object)
{
	uint32_t found = hash_table_find(&archive->by_object, symbol_object_hash(object), is_object,
					 archive->objects, object);

	return found == HASH_TABLE_NONE ? NULL : &archive->objects[found];
}

size_t symbol_archive_count(const struct symbol_archive *archive)
{
	return archive->count;
}

const struct archived_object *symbol_archive_at(const struct symbol_archive *archive, size_t number)
{
	return &archive->objects[number];
}

int symbol_archive_map(const struct symbol_archive *archive, const struct archived_object *object,
		       struct archive_image *image, struct error *err)
{
	const char *path = archive_reader_path(archive->reader);
	int result;

	*image = (struct archive_image){ .bytes = NULL };
	if (!object)
		return error_set(err, "%s does not contain this object", path);
	if (!object->file)
		return error_set(err, "%s",
				 object->why ? object->why : "the archive does not contain this object");
	result = archive_reader_map(archive->reader, object->file, image, err);
	if (result == 0)
		return error_set(err, "%s has no file %s: it is damaged", path, object->file);
	return result;
}

struct elf_file *symbol_archive_open_elf(const struct symbol_archive *archive,
					 const struct archived_object *object, struct error *err)
{
	struct archive_image image;
	size_t size;

	if (symbol_archive_map(archive, object, &image, err) < 0)
		return NULL;
	if (!image.mapping) {
		error_set(err, "%s: %s is empty", archive_reader_path(archive->reader), object->file);
		return NULL;
	}
	/* Opened under its recorded path, so that messages name that. */
	size = image.size;
	return elf_file_open_mapped(archive_image_take(&image), size, object->object.path, err);
}

int symbol_archive_answers(const struct symbol_archive *archive, const struct archived_object *object,
			   struct source_answers *answers)
{
	struct archive_image image;
	int result;

	if (!object->answers || archive_reader_map(archive->reader, object->answers, &image, NULL) != 1)
		return 0;
	result = source_answers_decode_file(answers, image.bytes, image.size);
	archive_image_unmap(&image);
	return result;
}

char *symbol_archive_text(const struct symbol_archive *archive, const struct archived_object *object,
			  size_t *size, struct error *err)
{
	struct archive_image image;

	if (symbol_archive_map(archive, object, &image, err) < 0)
		return NULL;
	return take_text(&image, size);
}

/* --- writing --------------------------------------------------------------------------------------- */

static void add_field(struct strbuf *list, const char *text, char end)
{
	for (; text && *text; text++) {
		if (*text == '%' || (unsigned char)*text < ' ')
			strbuf_addf(list, "%%%02X", (unsigned int)(unsigned char)*text);
		else
			strbuf_addc(list, *text);
	}
	strbuf_addc(list, end);
}

void symbol_archive_list_begin(struct strbuf *list, const char *recording_name, const char *recording_file)
{
	strbuf_adds(list, first_line);
	add_field(list, recording_name, '\t');
	add_field(list, recording_file, '\n');
}

void symbol_archive_list_fact(struct strbuf *list, const char *name, const char *value)
{
	strbuf_adds(list, "fact\t");
	add_field(list, name, '\t');
	add_field(list, value, '\n');
}

void symbol_archive_list_add(struct strbuf *list, const struct archived_object *archived)
{
	const struct symbol_object *object = &archived->object;
	char hex[BUILD_ID_HEX_SIZE];

	add_field(list, kinds[object->kind], '\t');
	add_field(list, build_id_hex(&object->build_id, hex), '\t');
	strbuf_addf(list, "%" PRIu32 "\t", object->pid);
	add_field(list, object->path, '\t');
	strbuf_addf(list, "%" PRIx64 "\t", object->relocation_address);
	add_field(list, forms[archived->form], '\t');
	add_field(list, archived->file, '\t');
	add_field(list, archived->answers, '\t');
	add_field(list, archived->source, '\t');
	add_field(list, archived->why, '\t');
	add_field(list, states[archived->state], '\t');
	add_field(list, archived->full ? "full" : "", '\t');
	add_field(list, archived->package, '\n');
}
