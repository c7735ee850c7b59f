#ifndef XPROF_SYMBOL_SYMBOL_ARCHIVE_H
#define XPROF_SYMBOL_SYMBOL_ARCHIVE_H

/*
 * The objects of an archived recording: which of its files has what is known of an object, where that came from, and,
 * where nothing was known, why. This is written down in the archive's first file, SYMBOL_ARCHIVE_LIST: a line an object,
 * fields separated by tabs, in which tabs, line ends and per cent signs are written as %09, %0A and %25. There are lines
 * of facts, too: what else was true where the archive was made, and is to be said in the same words elsewhere.
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
	const char *file;    /* in the archive; NULL: there is none */
	const char *answers; /* likewise: its source lines */
	const char *source;  /* as symbol_table_source() had it; NULL: there are no names, for this reason */
	const char *why;
	enum recorded_file_state state; /* of a program or library, where it was recorded */
	bool full;                      /* as symbol_table_is_full() had it */
	const char *package;            /* that it belonged to; NULL: not known */
};

struct symbol_archive;

/* The reader is borrowed. NULL with err: it has no list, or one that makes no sense. */
struct symbol_archive *symbol_archive_open(const struct archive_reader *reader, struct error *err);
void symbol_archive_close(struct symbol_archive *archive);

/* The path of a file in the recording, and its name in the archive. */
const char *symbol_archive_recording_name(const struct symbol_archive *archive);
const char *symbol_archive_recording_file(const struct symbol_archive *archive);

/* NULL if the archive does not mention it. */
const char *symbol_archive_fact(const struct symbol_archive *archive, const char *name);

/* NULL if nothing was asked of it while packing. Valid as long as the archive. */
const struct archived_object *symbol_archive_find(const struct symbol_archive *archive,
						  const struct symbol_object *object);

/* All of them. */
size_t symbol_archive_count(const struct symbol_archive *archive);
const struct archived_object *symbol_archive_at(const struct symbol_archive *archive, size_t number);

/* The object's ELF file. NULL with err: it has none, for the reason that there was. */
struct elf_file *symbol_archive_open_elf(const struct symbol_archive *archive,
					 const struct archived_object *object, struct error *err);

/* The bytes of the object's file: as archive_reader_map(), but -1 when there is none. */
int symbol_archive_map(const struct symbol_archive *archive, const struct archived_object *object,
		       struct archive_image *image, struct error *err);

/* The object's text file, malloc()ed and with a terminator; NULL with err. */
char *symbol_archive_text(const struct symbol_archive *archive, const struct archived_object *object,
			  size_t *size, struct error *err);

/* Adds the object's known source to empty answers: 1, or 0: there is none, or it is damaged. */
int symbol_archive_answers(const struct symbol_archive *archive, const struct archived_object *object,
			   struct source_answers *answers);

/* --- writing the list ------------------------------------------------------------------------- */

void symbol_archive_list_begin(struct strbuf *list, const char *recording_name, const char *recording_file);
void symbol_archive_list_fact(struct strbuf *list, const char *name, const char *value);
void symbol_archive_list_add(struct strbuf *list, const struct archived_object *archived);

#endif
