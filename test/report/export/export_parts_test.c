#include "report/export/export_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/cmocka.h"

enum {
	PARTS_BYTES = 200000
}; /* much in each part, so that parts are written at the same time and the output flows */

static void write_letters(void *context, size_t part, struct strbuf *text)
{
	const char *letters = context;

	for (size_t i = 0; i < PARTS_BYTES; i++)
		strbuf_addc(text, letters[part]);
}

static char *read_file(const char *path, size_t *size)
{
	FILE *file = fopen(path, "r");
	char *bytes;

	assert_non_null(file);
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	*size = (size_t)ftell(file);
	rewind(file);
	bytes = malloc(*size + 1);
	assert_non_null(bytes);
	assert_int_equal(fread(bytes, 1, *size, file), *size);
	(void)fclose(file);
	return bytes;
}

static void parts_are_in_their_order_behind_the_text_before_them(void **state)
{
	enum { ROUNDS = 50 };
	char path[] = "/tmp/xprof-parts-XXXXXX", letters[EXPORT_PARTS_MOST], *bytes, *at;
	const int fd = mkstemp(path);
	struct export_parts *parts;
	struct export_out out;
	struct error err;
	size_t size, most;

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(export_out_open(&out, path, false, &err), 0);
	parts = export_parts_create(&out);
	most = export_parts_most(parts);
	assert_in_range(most, 1, EXPORT_PARTS_MOST);
	for (size_t round = 0; round < ROUNDS; round++) {
		strbuf_addc(&out.text, '-');
		for (size_t i = 0; i < most; i++)
			letters[i] = (char)('a' + (round + i) % 26);
		export_parts_add(parts, round % most + 1, write_letters, letters);
	}
	export_parts_destroy(parts);
	assert_int_equal(export_out_close(&out, &err), 0);
	bytes = at = read_file(path, &size);
	for (size_t round = 0; round < ROUNDS; round++) {
		assert_int_equal(*at++, '-');
		for (size_t i = 0; i < (round % most + 1) * PARTS_BYTES; i++)
			if (*at++ != (char)('a' + (round + i / PARTS_BYTES) % 26))
				fail_msg("round %zu, byte %zu", round, i);
	}
	assert_int_equal(at - bytes, size);
	free(bytes);
	(void)unlink(path);
}

static void no_parts_leave_the_text_as_it_is(void **state)
{
	struct export_parts *parts;
	struct export_out out;
	struct error err;

	(void)state;
	assert_int_equal(export_out_open(&out, "/dev/null", false, &err), 0);
	parts = export_parts_create(&out);
	strbuf_adds(&out.text, "text");
	export_parts_add(parts, 0, write_letters, NULL);
	assert_string_equal(out.text.bytes, "text");
	export_parts_destroy(parts);
	assert_int_equal(export_out_close(&out, &err), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_are_in_their_order_behind_the_text_before_them),
		cmocka_unit_test(no_parts_leave_the_text_as_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
