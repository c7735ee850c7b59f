#ifndef XPROF_UNWIND_FDE_ROWS_H
#define XPROF_UNWIND_FDE_ROWS_H

/*
 * The compiled rows of the FDEs of one section: each compiled FDE takes 4 bytes, and 4 bytes for each of its
 * rows (16 bits of distance from its start, 16 bits of rule number), or 8 if either does not fit. An FDE with
 * one row takes only the first 4 bytes. Not thread-safe.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fde_rows;

struct fde_row {
	uint64_t distance; /* from the FDE's start */
	uint32_t rule;
};

struct fde_rows *fde_rows_create(uint32_t fde_count);
void fde_rows_destroy(struct fde_rows *rows);

bool fde_rows_has(const struct fde_rows *rows, uint32_t fde);

/*
 * Adds the rows of an FDE: at least one, the first at distance 0, distances ascending. `size_bytes` is the size of
 * the FDE; 0: fde_rows_size() shall return 0. If there is no room (64 MiB of rows), all other rows are removed.
 */
void fde_rows_put(struct fde_rows *rows, uint32_t fde, uint64_t size_bytes, const struct fde_row *added,
		  size_t count);

/* The size of an FDE from fde_rows_put(); 0 if it is unknown, too large, or the FDE was not added. */
uint64_t fde_rows_size(const struct fde_rows *rows, uint32_t fde);

/* The rule at a distance from the start of an FDE that was added. */
uint32_t fde_rows_find(const struct fde_rows *rows, uint32_t fde, uint64_t distance);

size_t fde_rows_bytes(const struct fde_rows *rows);
size_t fde_rows_fde_count(const struct fde_rows *rows);
size_t fde_rows_row_count(const struct fde_rows *rows);

#endif
