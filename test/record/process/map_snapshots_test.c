/* The watched process is this one, which writes its own perf map. */

#include "record/process/map_snapshots.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/map_piece.h"
#include "support/cmocka.h"
#include "support/state_record.h"

static struct map_snapshots *maps;
static struct strbuf taken; /* records */
static char path[64];

static int set_up(void **state)
{
	(void)state;
	maps = map_snapshots_create();
	strbuf_init(&taken);
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	unlink(path);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	map_snapshots_destroy(maps);
	strbuf_fini(&taken);
	unlink(path);
	return 0;
}

static void note(const struct event *event)
{
	struct perf_event_header header = { .type = event->type,
					    .misc = event->misc,
					    .size = (uint16_t)(sizeof(header) + event->payload_size) };
	struct strbuf record;

	strbuf_init(&record);
	strbuf_add(&record, &header, sizeof(header));
	strbuf_add(&record, event->payload, event->payload_size);
	map_snapshots_note(maps, (const uint8_t *)record.bytes, record.size);
	strbuf_fini(&record);
}

static void map_memory_of(uint32_t pid, const char *name, uint32_t prot)
{
	struct state_record record = { 0 };

	note(state_mmap2(&record,
			 &(struct mmap_of){
				 .pid = pid, .start = 0x1000, .length = 0x1000, .path = name, .prot = prot }));
	state_record_fini(&record);
}

static void map_memory(const char *name, uint32_t prot)
{
	map_memory_of((uint32_t)getpid(), name, prot);
}

static void fork_from(uint32_t parent)
{
	struct state_record record = { 0 };

	note(state_fork(&record, (uint32_t)getpid(), (uint32_t)getpid(), parent, parent));
	state_record_fini(&record);
}

static void begin_program(void)
{
	struct state_record record = { 0 };

	note(state_comm(&record, (uint32_t)getpid(), (uint32_t)getpid(), "program", true));
	state_record_fini(&record);
}

static void end_process(void)
{
	struct state_record record = { 0 };

	note(state_exit(&record, (uint32_t)getpid(), (uint32_t)getpid()));
	state_record_fini(&record);
}

static void write_map(const char *text, const char *mode)
{
	FILE *file = fopen(path, mode);

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

/* Compares the text that was taken; expected_last: it includes the end of the map. */
static void assert_taken(const char *expected, bool expected_last)
{
	struct perf_event_header header;
	struct strbuf text;
	bool last = false;

	strbuf_init(&text);
	for (size_t at = 0; at < taken.size; at += header.size) {
		struct map_piece piece;
		struct event event = { .payload = (const uint8_t *)taken.bytes + at + sizeof(header) };

		memcpy(&header, taken.bytes + at, sizeof(header));
		event.type = header.type;
		event.payload_size = header.size - sizeof(header);
		assert_true(map_piece_decode(&piece, &event));
		assert_int_equal(piece.pid, getpid());
		assert_true(map_piece_add_text(&piece, &text));
		last |= piece.flags & MAP_PIECE_LAST;
	}
	assert_string_equal(text.size ? text.bytes : "", expected);
	assert_int_equal(last, expected_last);
	strbuf_fini(&text);
	strbuf_reset(&taken);
}

static void what_a_map_grew_by_is_taken_once(void **state)
{
	(void)state;
	map_memory("//anon", PROT_READ | PROT_EXEC);
	map_snapshots_sampled(maps, (uint32_t)getpid());
	assert_false(map_snapshots_take(maps, &taken, 1000));
	assert_taken("", false);
	write_map("1000 10 f\n", "w");
	assert_false(map_snapshots_take(maps, &taken, 1000));
	assert_taken("1000 10 f\n", false);
	assert_false(map_snapshots_take(maps, &taken, 1000));
	assert_taken("", false);
	write_map("2000 10 g\n3000", "a");
	assert_false(map_snapshots_take(maps, &taken, 1000));
	assert_taken("2000 10 g\n3000", false);
	write_map(" 10 h\n", "a");
	assert_false(map_snapshots_finish(maps, &taken, 1000));
	assert_taken(" 10 h\n", true);
}

static void a_map_that_is_written_anew_is_taken_anew(void **state)
{
	(void)state;
	map_memory("//anon", PROT_READ | PROT_EXEC);
	map_snapshots_sampled(maps, (uint32_t)getpid());
	write_map("1000 10 f\n", "w");
	assert_false(map_snapshots_take(maps, &taken, 1000));
	assert_taken("1000 10 f\n", false);
	write_map("1000 10 other\n2000 10 g\n", "w");
	assert_false(map_snapshots_take(maps, &taken, 1000));
	assert_taken("\n1000 10 other\n2000 10 g\n", false);
}

static void the_rest_is_taken_when_the_process_has_ended(void **state)
{
	(void)state;
	map_memory("//anon", PROT_READ | PROT_EXEC);
	map_snapshots_sampled(maps, (uint32_t)getpid());
	write_map("1000 10 f\n", "w");
	end_process();
	assert_false(map_snapshots_take(maps, &taken, 1000));
	assert_taken("1000 10 f\n", true);
	write_map("2000 10 g\n", "a"); /* now another process's */
	assert_false(map_snapshots_finish(maps, &taken, 1000));
	assert_taken("", false);
}

static void only_as_much_is_taken_at_once_as_was_asked_for(void **state)
{
	enum { LINES = 20000 };
	FILE *file = fopen(path, "w");
	size_t size = 0;

	(void)state;
	for (int i = 0; i < LINES; i++)
		fprintf(file, "%08x 10 f\n", i);
	fclose(file);
	map_memory("//anon", PROT_READ | PROT_EXEC);
	map_snapshots_sampled(maps, (uint32_t)getpid());
	assert_true(map_snapshots_take(maps, &taken, MAP_PIECE_TEXT_MAX_BYTES));
	for (int i = 0; i < 10 && map_snapshots_take(maps, &taken, MAP_PIECE_TEXT_MAX_BYTES); i++)
		size++;
	assert_in_range(size, 2, 4);
	assert_int_equal(map_snapshots_cut_count(maps), 0);
}

static void processes_without_samples_or_without_code_of_their_own_are_left_alone(void **state)
{
	(void)state;
	write_map("1000 10 f\n", "w");
	map_snapshots_sampled(maps, (uint32_t)getpid());
	map_memory("/usr/lib/libc.so.6", PROT_READ | PROT_EXEC);
	map_memory("//anon", PROT_READ | PROT_WRITE);
	assert_false(map_snapshots_finish(maps, &taken, 1000));
	assert_taken("", false);
	map_snapshots_destroy(maps);
	maps = map_snapshots_create();
	map_memory("//anon", PROT_READ | PROT_EXEC);
	assert_false(map_snapshots_finish(maps, &taken, 1000));
	assert_taken("", false);
}

/* Rings are drained one after the other. */
static void a_sample_may_be_seen_before_the_mapping_of_its_code(void **state)
{
	(void)state;
	write_map("1000 10 f\n", "w");
	map_snapshots_sampled(maps, (uint32_t)getpid());
	map_memory("//anon", PROT_READ | PROT_EXEC);
	assert_false(map_snapshots_take(maps, &taken, 1000));
	assert_taken("1000 10 f\n", false);
}

enum { PARENT = 1 };

/* Its parent has run-time code. It has a map, which is taken only if the process has such code itself. */
static void begin_child(void)
{
	write_map("1000 10 f\n", "w");
	map_memory_of(PARENT, "//anon", PROT_READ | PROT_EXEC);
}

static void a_child_has_its_parents_code_until_it_runs_another_program(void **state)
{
	(void)state;
	begin_child();
	fork_from(PARENT);
	map_snapshots_sampled(maps, (uint32_t)getpid());
	begin_program();
	assert_false(map_snapshots_take(maps, &taken, 1000));
	assert_taken("", false);
	end_process();
	fork_from(PARENT);
	assert_false(map_snapshots_take(maps, &taken, 1000));
	assert_taken("1000 10 f\n", false);
}

static void a_fork_may_be_seen_after_the_exec(void **state)
{
	(void)state;
	begin_child();
	begin_program();
	fork_from(PARENT);
	map_snapshots_sampled(maps, (uint32_t)getpid());
	assert_false(map_snapshots_take(maps, &taken, 1000));
	assert_taken("", false);
	end_process();
	fork_from(PARENT); /* another process with the same pid */
	assert_false(map_snapshots_take(maps, &taken, 1000));
	assert_taken("1000 10 f\n", false);
}

static void code_of_a_new_program_may_be_seen_before_its_exec(void **state)
{
	(void)state;
	begin_child();
	fork_from(PARENT);
	map_memory("//anon", PROT_READ | PROT_EXEC);
	begin_program();
	map_snapshots_sampled(maps, (uint32_t)getpid());
	assert_false(map_snapshots_take(maps, &taken, 1000));
	assert_taken("1000 10 f\n", false);
}

static void a_map_that_is_older_than_the_process_is_anothers(void **state)
{
	const struct timespec times[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };

	(void)state;
	write_map("1000 10 f\n", "w");
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
	map_memory("//anon", PROT_READ | PROT_EXEC);
	map_snapshots_sampled(maps, (uint32_t)getpid());
	assert_false(map_snapshots_finish(maps, &taken, 1000));
	assert_taken("", false);
}

static void a_map_of_another_user_is_not_taken(void **state)
{
	(void)state;
	write_map("1000 10 f\n", "w");
	if (chown(path, 12345, (gid_t)-1) < 0)
		skip(); /* only root can give files away */
	map_memory("//anon", PROT_READ | PROT_EXEC);
	map_snapshots_sampled(maps, (uint32_t)getpid());
	assert_false(map_snapshots_finish(maps, &taken, 1000));
	assert_taken("", false);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_a_map_grew_by_is_taken_once),
		TEST(a_map_that_is_written_anew_is_taken_anew),
		TEST(the_rest_is_taken_when_the_process_has_ended),
		TEST(only_as_much_is_taken_at_once_as_was_asked_for),
		TEST(processes_without_samples_or_without_code_of_their_own_are_left_alone),
		TEST(a_sample_may_be_seen_before_the_mapping_of_its_code),
		TEST(a_child_has_its_parents_code_until_it_runs_another_program),
		TEST(a_fork_may_be_seen_after_the_exec),
		TEST(code_of_a_new_program_may_be_seen_before_its_exec),
		TEST(a_map_that_is_older_than_the_process_is_anothers),
		TEST(a_map_of_another_user_is_not_taken),
	};

	return cmocka_run_group_tests_name("record/process/map_snapshots", tests, NULL, NULL);
}
