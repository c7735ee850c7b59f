#ifndef XPROF_FORMAT_SIMPLEPERF_FILE_H
#define XPROF_FORMAT_SIMPLEPERF_FILE_H

/*
 * The files that simpleperf met while recording, with the symbols that it found in them: its features FILE
 * (structures) and FILE2 (protocol buffers, record_file.proto), system/extras/simpleperf/record_file_reader.cpp.
 * Bounded by the bytes of the feature.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/byte_reader.h"

enum simpleperf_file_type { /* enum DsoType, system/extras/simpleperf/dso.h */
			    SIMPLEPERF_FILE_KERNEL,
			    SIMPLEPERF_FILE_KERNEL_MODULE,
			    SIMPLEPERF_FILE_ELF,
			    SIMPLEPERF_FILE_DEX,
			    SIMPLEPERF_FILE_SYMBOL_MAP,
			    SIMPLEPERF_FILE_UNKNOWN,
};

struct simpleperf_text { /* not terminated */
	const char *bytes;
	size_t size;
};

struct simpleperf_file {
	struct simpleperf_text path;
	uint32_t type;
	uint64_t min_vaddr; /* of its executable segments */
	bool has_place;     /* versions before 2020 do not say it */
	uint64_t place; /* where min_vaddr lies: offset in the ELF file, or from where a module was loaded to */
	uint32_t dex_file_count; /* DEX files inside of it: an APK, a VDEX file */
	bool is_message;
	struct byte_reader symbols; /* for simpleperf_symbol_next() */
	uint32_t symbols_left;
};

struct simpleperf_symbol {
	struct simpleperf_text name; /* mangled */
	uint64_t vaddr;
	uint32_t size_bytes;
};

/* is_message: the feature is FILE2. 1, 0 at the end, -1 when what is left is no file. */
int simpleperf_file_next(struct byte_reader *feature, bool is_message, struct simpleperf_file *file);

/* 1 or 0. Each file is gone through once. */
int simpleperf_symbol_next(struct simpleperf_file *file, struct simpleperf_symbol *symbol);

#endif
