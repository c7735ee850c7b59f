#ifndef XPROF_TEST_SUPPORT_TEMP_TREE_H
#define XPROF_TEST_SUPPORT_TEMP_TREE_H

/* A directory of files, for tests of code that reads /proc or /sys; removed with all its contents. */

#include <stddef.h>

struct temp_tree {
	char root[64];
};

void temp_tree_create(struct temp_tree *tree);
void temp_tree_remove(struct temp_tree *tree);

/* Set-up and tear-down of a test whose state is an empty tree. */
int temp_tree_set_up(void **state);
int temp_tree_tear_down(void **state);

/* Write a file and create the directories above it. */
void temp_tree_file(const struct temp_tree *tree, const char *path, const char *text);
void temp_tree_bytes(const struct temp_tree *tree, const char *path, const void *bytes, size_t size);

#endif
