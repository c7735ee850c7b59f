#ifndef XPROF_UNWIND_FDE_ROWS_H
#define XPROF_UNWIND_FDE_ROWS_H

/*
 * The compiled rows of the FDEs of one section: for each FDE that was touched,
 * its rows in 4 bytes each (16 bits of distance from its start, 16 bits of rule
 * number), or in 8 where either does not fit, and 4 bytes of its own. An FDE of
 * one row takes no more than the latter. Not for several threads at once.
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
 * At least one row, the first at distance 0, distances growing. The size is the FDE's; 0: it shall not be told. When
 * there is no more room (64 MiB of rows) all others are forgotten.
 */
void fde_rows_put(struct fde_rows *rows, uint32_t fde, uint64_t size_bytes, const struct fde_row *added,
		  size_t count);

/* The size of an FDE that has been put; 0 when it is not known: not told, too large, or the FDE not put. */
uint64_t fde_rows_size(const struct fde_rows *rows, uint32_t fde);

/* The rule that holds at a distance from the start of an FDE that has been put. */
uint32_t fde_rows_find(const struct fde_rows *rows, uint32_t fde, uint64_t distance);

size_t fde_rows_bytes(const struct fde_rows *rows);
size_t fde_rows_fde_count(const struct fde_rows *rows);
size_t fde_rows_row_count(const struct fde_rows *rows);

#endif
