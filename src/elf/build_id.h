#ifndef XPROF_ELF_BUILD_ID_H
#define XPROF_ELF_BUILD_ID_H

/*
 * The identity of a binary: the descriptor of its NT_GNU_BUILD_ID note (ELF
 * note type 3, name "GNU"). 20 bytes from GNU ld and lld by default, 16 with
 * --build-id=md5 or uuid, 8 with =fast; perf.data stores at most 20.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { BUILD_ID_MAX_BYTES = 20, BUILD_ID_HEX_SIZE = 2 * BUILD_ID_MAX_BYTES + 1 };

struct build_id {
	uint8_t bytes[BUILD_ID_MAX_BYTES]; /* zero beyond size */
	uint8_t size;                      /* 0: unknown */
};

bool build_id_equal(const struct build_id *a, const struct build_id *b);

/*
 * Is `found` the recorded build-id? perf before 5.13 wrote 20 bytes for every build-id and padded shorter
 * ones with zeros, so trailing zeros of `recorded` are ignored. True if none was recorded; false if one was
 * recorded but none found.
 */
bool build_id_is_recorded(const struct build_id *recorded, const struct build_id *found);

/* Lower-case hexadecimal; "" when unknown. Returns hex. */
const char *build_id_hex(const struct build_id *id, char hex[static BUILD_ID_HEX_SIZE]);

/* Returns -1 if `hex` is not an even number of at most 40 hexadecimal digits. */
int build_id_parse(struct build_id *id, const char *hex, struct error *err);

/*
 * Reads a build-id from the bytes of a PT_NOTE segment or note section. Returns 0 if found, 1 if not.
 */
int build_id_from_notes(struct build_id *id, const void *notes, size_t size, bool swap, size_t alignment);

/* The running kernel's notes. Those of a module are in /sys/module/NAME/notes/.note.gnu.build-id. */
#define BUILD_ID_KERNEL_NOTES "/sys/kernel/notes"

/* Reads the build-id of the running kernel or of one of its modules from a file of notes. Returns 0, or -1 with err. */
int build_id_read_notes(struct build_id *id, const char *path, struct error *err);

/*
 * Reads the build-id of a file with a few pread() calls, from its headers and notes alone: cheap enough for a
 * recorder to do it for every DSO. Returns 0 if found, 1 if the file has none, -1 if it cannot be read or is
 * not an ELF file.
 */
int build_id_read_file(struct build_id *id, const char *path, struct error *err);

#endif
