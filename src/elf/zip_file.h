#ifndef XPROF_ELF_ZIP_FILE_H
#define XPROF_ELF_ZIP_FILE_H

/*
 * ZIP files with ELF files inside that are stored as they are: Android maps libraries right out of an APK.
 * Compressed files cannot be mapped and are skipped, and so are files of more than 4 GB (APPNOTE.TXT of
 * PKWARE, 4.3).
 */

#include <stdint.h>

#include "base/error.h"

struct zip_file;

struct zip_entry {
	const char *name; /* "lib/arm64-v8a/libfoo.so"; lives as long as the ZIP file */
	uint64_t file_offset;
	uint64_t size;
};

/* Returns NULL with err set if the file cannot be read or is not a ZIP file. */
struct zip_file *zip_file_open(const char *path, struct error *err);
void zip_file_close(struct zip_file *zip);

/* The ELF file with this name, or at this offset of the ZIP file; NULL if there is none. */
const struct zip_entry *zip_file_find(const struct zip_file *zip, const char *name);
const struct zip_entry *zip_file_at(const struct zip_file *zip, uint64_t file_offset);

/* The bytes of an entry, size entry->size, valid as long as the ZIP file. */
const uint8_t *zip_entry_bytes(const struct zip_file *zip, const struct zip_entry *entry);

#endif
