#ifndef XPROF_REPORT_EXPORT_CODE_SAMPLE_TREE_H
#define XPROF_REPORT_EXPORT_CODE_SAMPLE_TREE_H

/*
 * LLVM's sample profile: functions with counts of their lines, and of what was inlined there. Texts are borrowed. Counts of a
 * line are those of the instruction of it that ran most.
 */

#include "base/strbuf.h"
#include "symbol/dwarf/site_index.h"

struct sample_tree;

struct sample_tree *sample_tree_create(void);
void sample_tree_destroy(struct sample_tree *tree);

/* An instruction that ran `count` times; the function, and all that it is inlined into, weigh `weight` more. */
void sample_tree_add(struct sample_tree *tree, const struct source_site *sites, size_t depth, uint64_t count,
		     uint64_t weight);
/* A call from there, of a function that was compiled. */
void sample_tree_add_call(struct sample_tree *tree, const struct source_site *sites, size_t depth,
			  const char *callee, uint64_t count);
/* The function was entered so many times. */
void sample_tree_add_head(struct sample_tree *tree, const char *function, uint64_t count);

/* As text (llvm/ProfileData/SampleProfReader.h), functions of most weight first. */
void sample_tree_write(struct sample_tree *tree, struct strbuf *out);

#endif
