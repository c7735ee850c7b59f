#ifndef XPROF_SYMBOL_SYMBOL_ARCHIVE_H
#define XPROF_SYMBOL_SYMBOL_ARCHIVE_H

/*
 * The objects of an archived recording: which file of the archive has the names of an object, where they came from or,
 * if there are none, why not. The first file of the archive, SYMBOL_ARCHIVE_LIST, has a line for each object, with
 * fields separated by tabs; tabs, line ends and per cent signs in them are written as %09, %0A and %25. Other lines
 * contain facts about the machine where the archive was made, for messages on other machines.
 */

#include "archive/archive_reader.h"
#include "base/strbuf.h"
#include "elf/elf_file.h"
#include "symbol/dwarf/source_answers.h"
#include "symbol/file_presence.h"
#include "symbol/object_needs.h"

#define SYMBOL_ARCHIVE_LIST "xprof-archive"

struct archived_object {
	struct symbol_object object;
	enum object_form form;
	const char *file;    /* name in the archive; NULL: there is none */
	const char *answers; /* likewise, with its source lines */
	const char *source;  /* result of symbol_table_source(); NULL: there are no names, and `why` has the
				reason */
	const char *why;
	enum recorded_file_state state; /* of a program or library, on the machine of the archive */
	bool full;                      /* result of symbol_table_is_full() */
	const char *package;            /* the package that it belonged to; NULL: unknown */
};

struct symbol_archive;

/* The reader is borrowed. Returns NULL with err set if the archive has no list, or an invalid one. */
struct symbol_archive *symbol_archive_open(const struct archive_reader *reader, struct error *err);
void symbol_archive_close(struct symbol_archive *archive);

/* The path of the recording when the archive was made, and the name of its file in the archive. */
const char *symbol_archive_recording_name(const struct symbol_archive *archive);
const char *symbol_archive_recording_file(const struct symbol_archive *archive);

/* The value of a fact; NULL if the archive does not have it. */
const char *symbol_archive_fact(const struct symbol_archive *archive, const char *name);

/* NULL if the object was not used while packing. Valid as long as the archive. */
const struct archived_object *symbol_archive_find(const struct symbol_archive *archive,
						  const struct symbol_object *object);

/* All objects. */
size_t symbol_archive_count(const struct symbol_archive *archive);
const struct archived_object *symbol_archive_at(const struct symbol_archive *archive, size_t number);

/* Opens the object's ELF file. Returns NULL with err set if it has none; err has the reason from packing. */
struct elf_file *symbol_archive_open_elf(const struct symbol_archive *archive,
					 const struct archived_object *object, struct error *err);

/* Maps the object's file: as archive_reader_map(), but returns -1 if there is none. */
int symbol_archive_map(const struct symbol_archive *archive, const struct archived_object *object,
		       struct archive_image *image, struct error *err);

/* Returns the object's text file, malloc()ed and NUL-terminated; NULL with err set on failure. */
char *symbol_archive_text(const struct symbol_archive *archive, const struct archived_object *object,
			  size_t *size, struct error *err);

/*
 * Reads the object's source lines into empty answers. Returns 1, or 0 if there are none or they are damaged.
 */
int symbol_archive_answers(const struct symbol_archive *archive, const struct archived_object *object,
			   struct source_answers *answers);

/* --- writing the list ------------------------------------------------------------------------- */

void symbol_archive_list_begin(struct strbuf *list, const char *recording_name, const char *recording_file);
void symbol_archive_list_fact(struct strbuf *list, const char *name, const char *value);
void symbol_archive_list_add(struct strbuf *list, const struct archived_object *archived);

#endif
