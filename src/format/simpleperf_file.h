#ifndef XPROF_FORMAT_SIMPLEPERF_FILE_H
#define XPROF_FORMAT_SIMPLEPERF_FILE_H

/*
 * The files in which simpleperf took samples, with their symbols: its features FILE (structures) and FILE2
 * (protocol buffers, record_file.proto), system/extras/simpleperf/record_file_reader.cpp. Reads nothing
 * outside the bytes of the feature.
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

struct simpleperf_text { /* not NUL-terminated */
	const char *bytes;
	size_t size;
};

struct simpleperf_file {
	struct simpleperf_text path;
	uint32_t type;
	uint64_t min_vaddr; /* of its executable segments */
	bool has_place;     /* `place` is known; versions before 2020 did not write it */
	uint64_t place; /* location of min_vaddr: offset in the ELF file, or from the load address of a module */
	bool is_message;
	struct byte_reader symbols; /* for simpleperf_symbol_next() */
	uint32_t symbols_left;
};

struct simpleperf_symbol {
	struct simpleperf_text name; /* mangled */
	uint64_t vaddr;
	uint32_t size_bytes;
};

/*
 * Reads the next file. is_message: the feature is FILE2. Returns 1, 0 at the end, -1 if the rest is damaged.
 */
int simpleperf_file_next(struct byte_reader *feature, bool is_message, struct simpleperf_file *file);

/* Reads the next symbol of a file. Returns 1, or 0 at the end. Can be done once for each file. */
int simpleperf_symbol_next(struct simpleperf_file *file, struct simpleperf_symbol *symbol);

#endif
