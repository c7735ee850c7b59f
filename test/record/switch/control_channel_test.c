#include "record/switch/control_channel.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/cmocka.h"
#include "support/temp_tree.h"

struct ends {
	int commands[2], acks[2];
	struct control_channel *channel;
};

static int set_up(void **state)
{
	static struct ends ends;
	char text[64];

	if (pipe(ends.commands) < 0 || pipe(ends.acks) < 0)
		return -1;
	snprintf(text, sizeof(text), "fd:%d,%d", ends.commands[0], ends.acks[1]);
	ends.channel = control_channel_open(text, NULL);
	*state = &ends;
	return ends.channel ? 0 : -1;
}

static int tear_down(void **state)
{
	struct ends *ends = *state;

	control_channel_close(ends->channel);
	close(ends->commands[0]);
	close(ends->commands[1]);
	close(ends->acks[0]);
	close(ends->acks[1]);
	return 0;
}

static void type(const struct ends *ends, const char *text)
{
	assert_int_equal(write(ends->commands[1], text, strlen(text)), strlen(text));
	assert_true(control_channel_read(ends->channel));
}

static void expect(const struct ends *ends, enum control_command_kind kind, const char *argument)
{
	struct control_command command;

	assert_true(control_channel_next(ends->channel, &command));
	assert_int_equal(command.kind, kind);
	assert_string_equal(command.argument, argument);
}

static void expect_nothing(const struct ends *ends)
{
	struct control_command command;

	assert_false(control_channel_next(ends->channel, &command));
}

static void commands_are_lines(void **state)
{
	const struct ends *ends = *state;

	type(ends, "enable\ndisable cpu-clock\nsnapshot\nping\nevlist -v\nstop\n");
	expect(ends, CONTROL_ENABLE, "");
	expect(ends, CONTROL_DISABLE, "cpu-clock");
	expect(ends, CONTROL_SNAPSHOT, "");
	expect(ends, CONTROL_PING, "");
	expect(ends, CONTROL_EVLIST, "-v");
	expect(ends, CONTROL_STOP, "");
	expect_nothing(ends);
}

static void a_line_may_come_in_pieces_and_end_with_a_null(void **state)
{
	const struct ends *ends = *state;

	type(ends, "ena");
	expect_nothing(ends);
	type(ends, "ble");
	expect_nothing(ends);
	assert_int_equal(write(ends->commands[1], "\0", 1), 1);
	assert_true(control_channel_read(ends->channel));
	expect(ends, CONTROL_ENABLE, "");
}

static void other_words_and_longer_lines_are_unknown(void **state)
{
	const struct ends *ends = *state;
	char line[700];

	type(ends, "enabled\n\nEnable\nen\n");
	for (int i = 0; i < 4; i++)
		expect(ends, CONTROL_UNKNOWN, "");
	memset(line, 'x', sizeof(line));
	memcpy(line + sizeof(line) - 10, "\nping\nena\n", 10);
	line[sizeof(line) - 1] = '\0';
	type(ends, line);
	expect(ends, CONTROL_UNKNOWN, "");
	expect(ends, CONTROL_PING, "");
	expect_nothing(ends);
}

static void the_rest_of_a_line_that_is_too_long_is_no_command(void **state)
{
	const struct ends *ends = *state;
	char line[300];

	memset(line, 'x', sizeof(line));
	line[sizeof(line) - 1] = '\0';
	type(ends, line);
	expect(ends, CONTROL_UNKNOWN, "");
	expect_nothing(ends);
	type(ends, "stop\nstop\n");
	expect(ends, CONTROL_UNKNOWN, "");
	expect(ends, CONTROL_STOP, "");
}

static void an_acknowledgement_is_a_line(void **state)
{
	const struct ends *ends = *state;
	char text[8] = "";

	control_channel_ack(ends->channel);
	assert_int_equal(read(ends->acks[0], text, sizeof(text)), 4);
	assert_memory_equal(text, "ack\n", 4);
}

static void a_writer_that_is_gone_ends_the_channel_after_its_commands(void **state)
{
	struct ends *ends = *state;

	assert_int_equal(write(ends->commands[1], "ping\n", 5), 5);
	close(ends->commands[1]);
	assert_true(control_channel_read(ends->channel));
	expect(ends, CONTROL_PING, "");
	assert_false(control_channel_read(ends->channel));
	ends->commands[1] = dup(0);
}

static void fifos_are_opened_by_their_names(void **state)
{
	const struct temp_tree *tree = *state;
	char path[96], text[128];
	struct control_command command;
	struct control_channel *channel;
	struct error err;
	FILE *writer;

	snprintf(path, sizeof(path), "%s/control", tree->root);
	snprintf(text, sizeof(text), "fifo:%s", path);
	assert_null(control_channel_open(text, &err));
	assert_non_null(strstr(err.message, "mkfifo"));
	assert_int_equal(mkfifo(path, 0600), 0);
	channel = control_channel_open(text, NULL);
	assert_non_null(channel);
	writer = fopen(path, "w");
	fputs("stop\n", writer);
	fclose(writer);
	assert_true(control_channel_read(channel));
	assert_true(control_channel_next(channel, &command));
	assert_int_equal(command.kind, CONTROL_STOP);
	assert_true(control_channel_read(channel)); /* another writer may come */
	control_channel_ack(channel);               /* there is no ACK */
	control_channel_close(channel);
}

static void other_texts_are_refused(void **state)
{
	static const char *const texts[] = { "",         "5",     "fd:",    "fd:x",  "fd:-1",
					     "fd:77777", "fifo:", "pipe:3", "fd:0,x" };

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct error err = { 0 };

		assert_null(control_channel_open(texts[i], &err));
		assert_true(strlen(err.message) > 10);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(commands_are_lines, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_line_may_come_in_pieces_and_end_with_a_null, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(other_words_and_longer_lines_are_unknown, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_rest_of_a_line_that_is_too_long_is_no_command, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(an_acknowledgement_is_a_line, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_writer_that_is_gone_ends_the_channel_after_its_commands,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(fifos_are_opened_by_their_names, temp_tree_set_up,
						temp_tree_tear_down),
		cmocka_unit_test(other_texts_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
