#include "support/temp_tree.h"

#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/xalloc.h"
#include "support/cmocka.h"

void temp_tree_create(struct temp_tree *tree)
{
	snprintf(tree->root, sizeof(tree->root), "/tmp/xprof-test-XXXXXX");
	assert_non_null(mkdtemp(tree->root));
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	(void)status, (void)type, (void)walk;
	return remove(path);
}

void temp_tree_remove(struct temp_tree *tree)
{
	nftw(tree->root, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

int temp_tree_set_up(void **state)
{
	struct temp_tree *tree = xmalloc(sizeof(*tree));

	temp_tree_create(tree);
	*state = tree;
	return 0;
}

int temp_tree_tear_down(void **state)
{
	temp_tree_remove(*state);
	free(*state);
	return 0;
}

void temp_tree_bytes(const struct temp_tree *tree, const char *path, const void *bytes, size_t size)
{
	char full[PATH_MAX];
	FILE *file;

	snprintf(full, sizeof(full), "%s/%s", tree->root, path);
	for (char *slash = full + strlen(tree->root) + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
		*slash = '\0';
		mkdir(full, 0700);
	}
	file = fopen(full, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

void temp_tree_file(const struct temp_tree *tree, const char *path, const char *text)
{
	temp_tree_bytes(tree, path, text, strlen(text));
}
