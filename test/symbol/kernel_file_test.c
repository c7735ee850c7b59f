#include "symbol/kernel_file.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "support/cmocka.h"
#include "support/elf_builder.h"
#include "support/temp_tree.h"

static const struct build_id id = { .size = 8,
				    .bytes = "\xab\xcd"
					     "123456" };
static const char *const debug_dirs[] = { "/usr/lib/debug", NULL };

/* Writes an ELF file with a build-id to a path of the tree, compressed by gzip if asked to. */
static void write_elf(const struct temp_tree *tree, const char *path, const struct build_id *build_id,
		      bool compress)
{
	struct elf_builder builder;
	uint8_t *bytes, packed[4096];
	z_stream stream = { .next_out = packed, .avail_out = sizeof(packed) };
	size_t size;

	elf_builder_init(&builder, true, false, ET_REL, EM_X86_64);
	elf_builder_build_id(&builder, build_id->bytes, build_id->size);
	bytes = elf_builder_finish(&builder, &size);
	elf_builder_fini(&builder);
	if (compress) {
		stream.next_in = bytes;
		stream.avail_in = (uInt)size;
		assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY),
				 Z_OK);
		assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
		deflateEnd(&stream);
	}
	temp_tree_bytes(tree, path, compress ? packed : bytes, compress ? stream.total_out : size);
	free(bytes);
}

/* Checks whether the module is found if the tree contains nothing but an ELF file at `path`. */
static void assert_found(const char *path, bool compress, const char *module, bool found)
{
	struct build_id other = id;
	struct elf_file *file;
	struct temp_tree tree;

	temp_tree_create(&tree);
	for (int is_other = 0; is_other < 2; is_other++) {
		const struct debug_file_search search = { .symfs = tree.root, .debug_dirs = debug_dirs };

		other.bytes[3] ^= (uint8_t)is_other;
		write_elf(&tree, path + 1, &other, compress);
		file = module ? kernel_file_open_module(module, &id, &search, NULL) :
				kernel_file_open_vmlinux(&id, "6.1.0", &search, NULL);
		if (found && !is_other) {
			assert_non_null(file);
			assert_string_equal(elf_file_path(file) + strlen(tree.root), path);
		} else {
			assert_null(file); /* a file of another build is never found */
		}
		elf_file_close(file);
	}
	temp_tree_remove(&tree);
}

static void vmlinux_is_found_where_distributions_put_it(void **state)
{
	(void)state;
	setenv("HOME", "/proc/nonexistent", 1);
	assert_found("/usr/lib/debug/.build-id/ab/cd313233343536.debug", false, NULL, true);
	assert_found("/usr/lib/debug/boot/vmlinux-6.1.0", false, NULL, true);
	assert_found("/usr/lib/debug/lib/modules/6.1.0/vmlinux", false, NULL, true);
	assert_found("/usr/lib/debug/boot/vmlinux-6.1.0.debug", false, NULL, true);
	assert_found("/lib/modules/6.1.0/build/vmlinux", false, NULL, true);
	assert_found("/boot/vmlinux-6.1.0", false, NULL, true);
	assert_found("/boot/vmlinux-6.1.0.gz", true, NULL, true);
	assert_found("/boot/vmlinux", false, NULL, true);
	assert_found("/boot/vmlinux-6.1.1", false, NULL, false);
}

static void modules_are_found_with_their_debug_information(void **state)
{
	static const char path[] = "/lib/modules/6.1.0/kernel/fs/ext4/ext4.ko.xz";

	(void)state;
	assert_found(path, false, path, true);
	assert_found(path, true, path, true); /* compressed, although its name does not say so */
	assert_found("/usr/lib/debug/.build-id/ab/cd313233343536.debug", false, path, true);
	assert_found("/usr/lib/debug/.build-id/ab/cd313233343536.debug", false, "[ext4]", true);
	assert_found("/usr/lib/debug/lib/modules/6.1.0/kernel/fs/ext4/ext4.ko", false, path, true);
	assert_found("/usr/lib/debug/lib/modules/6.1.0/kernel/fs/ext4/ext4.ko.debug", false, path, true);
	assert_found("/lib/modules/6.1.0/kernel/fs/ext4/ext4.ko", false, "[ext4]", false);
}

static void a_module_of_another_machine_is_not_taken_without_a_build_id(void **state)
{
	static const char path[] = "/lib/modules/6.1.0/kernel/fs/ext4/ext4.ko";
	const struct build_id unknown = { .size = 0 };
	struct temp_tree tree;

	(void)state;
	temp_tree_create(&tree);
	write_elf(&tree, path + 1, &id, false);
	for (int is_other_host = 0; is_other_host < 2; is_other_host++) {
		const struct debug_file_search search = { .symfs = tree.root,
							  .debug_dirs = debug_dirs,
							  .is_of_other_host = is_other_host };
		struct elf_file *by_path = kernel_file_open_module(path, &unknown, &search, NULL);
		struct elf_file *by_build_id = kernel_file_open_module(path, &id, &search, NULL);

		assert_int_equal(by_path != NULL, !is_other_host);
		assert_non_null(by_build_id);
		elf_file_close(by_path);
		elf_file_close(by_build_id);
	}
	temp_tree_remove(&tree);
}

static void a_kernel_of_unknown_build_is_not_guessed(void **state)
{
	const struct build_id unknown = { .size = 0 };
	const struct debug_file_search search = { .symfs = "", .debug_dirs = debug_dirs };
	struct error err;

	(void)state;
	assert_null(kernel_file_open_vmlinux(&unknown, "6.1.0", &search, &err));
	assert_string_equal(err.message, "the recording has no build-id of its kernel");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(vmlinux_is_found_where_distributions_put_it),
		cmocka_unit_test(modules_are_found_with_their_debug_information),
		cmocka_unit_test(a_module_of_another_machine_is_not_taken_without_a_build_id),
		cmocka_unit_test(a_kernel_of_unknown_build_is_not_guessed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
