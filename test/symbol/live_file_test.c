#include "symbol/live_file.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "support/cmocka.h"
#include "support/elf_builder.h"
#include "support/temp_tree.h"

static const struct build_id id = { .size = 8, .bytes = "12345678" };
static const struct build_id other_id = { .size = 8, .bytes = "12345679" };
static const struct build_id no_id = { .size = 0 };

static void write_elf(const struct temp_tree *tree, const char *path, const struct build_id *build_id)
{
	struct elf_builder builder;
	uint8_t *bytes;
	size_t size;

	elf_builder_init(&builder, true, false, ET_DYN, EM_X86_64);
	elf_builder_build_id(&builder, build_id->bytes, build_id->size);
	bytes = elf_builder_finish(&builder, &size);
	elf_builder_fini(&builder);
	temp_tree_bytes(tree, path, bytes, size);
	free(bytes);
}

static bool is_found(const char *path, const struct build_id *wanted)
{
	struct elf_file *file = live_file_open((uint32_t)getpid(), path, wanted);
	bool found = file && build_id_equal(elf_file_build_id(file), wanted);

	assert_true(found == (file != NULL));
	elf_file_close(file);
	return found;
}

static void a_file_is_what_the_process_has_at_its_path(void **state)
{
	struct temp_tree tree;
	char *path;

	(void)state;
	temp_tree_create(&tree);
	write_elf(&tree, "library.so", &id);
	path = xasprintf("%s/library.so", tree.root);
	assert_true(is_found(path, &id));
	assert_false(is_found(path, &other_id));
	assert_false(is_found(path, &no_id));
	assert_false(is_found("library.so", &id)); /* relative to an unknown directory */
	free(path);
	temp_tree_remove(&tree);
}

static void a_file_that_is_mapped_is_found_when_its_name_is_gone(void **state)
{
	struct temp_tree tree;
	char *path;
	void *mapped;
	int fd;

	(void)state;
	if (geteuid() != 0)
		skip(); /* only root may follow map_files, see proc(5) */
	temp_tree_create(&tree);
	write_elf(&tree, "library.so", &id);
	path = xasprintf("%s/library.so", tree.root);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	mapped = mmap(NULL, 64, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	assert_true(mapped != MAP_FAILED);

	assert_int_equal(unlink(path), 0);
	assert_true(is_found(path, &id));
	write_elf(&tree, "library.so", &other_id); /* the file was replaced */
	assert_true(is_found(path, &id));
	munmap(mapped, 64);
	assert_false(is_found(path, &id));
	free(path);
	temp_tree_remove(&tree);
}

static void a_process_that_is_gone_has_none(void **state)
{
	(void)state;
	assert_null(live_file_open(UINT32_MAX, "/bin/sh", &id));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_what_the_process_has_at_its_path),
		cmocka_unit_test(a_file_that_is_mapped_is_found_when_its_name_is_gone),
		cmocka_unit_test(a_process_that_is_gone_has_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
