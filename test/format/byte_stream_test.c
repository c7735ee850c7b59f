#include "format/byte_stream.h"

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include "support/cmocka.h"

enum { RECORDS = 40000, RECORD_SIZE = 72 }; /* 2.9 MB: several windows */

/* Numbered records of 72 bytes, written in pieces that end at no record boundary. */
static void *write_records(void *fd)
{
	uint8_t record[RECORD_SIZE] = { 9, [6] = RECORD_SIZE };
	size_t cut = 1;

	for (uint32_t i = 0; i < RECORDS; i++) {
		memcpy(record + 8, &i, sizeof(i));
		if (write(*(int *)fd, record, cut) != (ssize_t)cut ||
		    write(*(int *)fd, record + cut, RECORD_SIZE - cut) != (ssize_t)(RECORD_SIZE - cut))
			break;
		cut = cut % (RECORD_SIZE - 1) + 1;
	}
	close(*(int *)fd);
	return NULL;
}

static void records_come_whole_out_of_a_pipe_that_delivers_pieces(void **state)
{
	struct byte_stream *stream;
	struct record_source *source;
	struct event event;
	struct error err;
	pthread_t writer;
	int ends[2];

	(void)state;
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	assert_int_equal(pthread_create(&writer, NULL, write_records, &ends[1]), 0);
	stream = byte_stream_create(ends[0], "pipe");
	source = byte_stream_source(stream);
	for (uint32_t i = 0; i < RECORDS; i++) {
		uint32_t number;

		assert_int_equal(record_source_next(source, &event, &err), RECORD_OK);
		memcpy(&number, event.payload, sizeof(number));
		assert_int_equal(number, i);
		assert_int_equal(event.file_offset, (uint64_t)i * RECORD_SIZE);
	}
	assert_int_equal(record_source_next(source, &event, &err), RECORD_END);
	byte_stream_destroy(stream);
	pthread_join(writer, NULL);
}

static void skipping_passes_more_than_the_window(void **state)
{
	struct byte_stream *stream;
	struct record_source *source;
	struct error err;
	pthread_t writer;
	int ends[2];
	uint32_t number;

	(void)state;
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	assert_int_equal(pthread_create(&writer, NULL, write_records, &ends[1]), 0);
	stream = byte_stream_create(ends[0], "pipe");
	source = byte_stream_source(stream);
	assert_int_equal(record_source_skip(source, (uint64_t)(RECORDS - 1) * RECORD_SIZE, &err), 1);
	assert_int_equal(record_source_need(source, RECORD_SIZE, &err), 1);
	memcpy(&number, source->next + 8, sizeof(number));
	assert_int_equal(number, RECORDS - 1);
	assert_int_equal(record_source_skip(source, RECORD_SIZE + 1, &err), 0);
	byte_stream_destroy(stream);
	pthread_join(writer, NULL);
}

static void a_read_that_fails_is_an_error_with_the_name(void **state)
{
	struct byte_stream *stream = byte_stream_create(open("/", O_RDONLY | O_CLOEXEC), "the directory");
	struct event event;
	struct error err;

	(void)state;
	assert_int_equal(record_source_next(byte_stream_source(stream), &event, &err), RECORD_READ_FAILED);
	assert_string_equal(err.message, "cannot read the directory: Is a directory");
	byte_stream_destroy(stream);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_come_whole_out_of_a_pipe_that_delivers_pieces),
		cmocka_unit_test(skipping_passes_more_than_the_window),
		cmocka_unit_test(a_read_that_fails_is_an_error_with_the_name),
	};

	return cmocka_run_group_tests_name("format/byte_stream", tests, NULL, NULL);
}
