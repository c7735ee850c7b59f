#ifndef XPROF_REPORT_EXPORT_CODE_SAMPLE_TREE_H
#define XPROF_REPORT_EXPORT_CODE_SAMPLE_TREE_H

/*
 * LLVM's sample profile: functions with counts of their lines and of the functions inlined there. The count of a line is that
 * of its most frequent instruction. Texts are borrowed.
 */

#include "base/strbuf.h"
#include "symbol/dwarf/site_index.h"

struct sample_tree;

struct sample_tree *sample_tree_create(void);
void sample_tree_destroy(struct sample_tree *tree);

/* Adds an instruction that ran `count` times. Adds `weight` to the function, and to all functions that it is inlined into. */
void sample_tree_add(struct sample_tree *tree, const struct source_site *sites, size_t depth, uint64_t count,
		     uint64_t weight);
/* Adds `count` calls from there to a compiled function. */
void sample_tree_add_call(struct sample_tree *tree, const struct source_site *sites, size_t depth,
			  const char *callee, uint64_t count);
/* Adds `count` entries into the function. */
void sample_tree_add_head(struct sample_tree *tree, const char *function, uint64_t count);

/* Appends the text format (llvm/ProfileData/SampleProfReader.h), the functions with most weight first. */
void sample_tree_write(struct sample_tree *tree, struct strbuf *out);

#endif
