#include "cli/option_complete.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/cmocka.h"
#include "support/greet_command.h"

/* The scripts of all shells, in files of a directory of their own. */
struct scripts {
	char directory[64];
};

static void write_script(const struct scripts *scripts, const char *shell,
			 void (*complete)(struct strbuf *, const struct cli_program *))
{
	char path[128];
	struct strbuf text;
	FILE *file;

	snprintf(path, sizeof(path), "%s/xprof.%s", scripts->directory, shell);
	file = fopen(path, "w");
	assert_non_null(file);
	strbuf_init(&text);
	complete(&text, &greeter);
	fwrite(text.bytes, 1, text.size, file);
	strbuf_fini(&text);
	fclose(file);
}

static int write_scripts(void **state)
{
	static struct scripts scripts = { .directory = "/tmp/xprof-complete-XXXXXX" };

	assert_non_null(mkdtemp(scripts.directory));
	write_script(&scripts, "bash", option_complete_bash);
	write_script(&scripts, "zsh", option_complete_zsh);
	write_script(&scripts, "fish", option_complete_fish);
	*state = &scripts;
	return 0;
}

static int remove_scripts(void **state)
{
	const struct scripts *scripts = *state;
	char command[128];

	snprintf(command, sizeof(command), "rm -r %s", scripts->directory); /* fish leaves files of its own */
	return system(command); /* NOLINT(cert-env33-c): our own directory */
}

static bool has_shell(const char *shell)
{
	char command[64];

	snprintf(command, sizeof(command), "command -v %s >/dev/null 2>&1", shell);
	return system(command) == 0; /* NOLINT(cert-env33-c): a constant command */
}

/* The output of a shell command, newlines replaced by spaces. */
static char *output_of(const char *command, char *text, size_t size)
{
	FILE *output = popen(command, "r"); /* NOLINT(cert-env33-c): commands of this file */
	size_t used;

	assert_non_null(output);
	used = fread(text, 1, size - 1, output);
	text[used] = '\0';
	pclose(output);
	for (char *at = text; *at; at++)
		if (*at == '\n')
			*at = at[1] ? ' ' : '\0';
	return text;
}

/* Compares bash's answer to <Tab> at the end of a line, without the bash-completion package. */
static void assert_bash(void **state, const char *line, const char *expected)
{
	const struct scripts *scripts = *state;
	char command[1024], got[4096];

	if (!has_shell("bash"))
		skip();
	snprintf(command, sizeof(command),
		 "bash --norc -c 'source %s/xprof.bash; COMP_LINE=$1 COMP_POINT=${#1}; "
		 "COMP_WORDBREAKS=$'\\'' \\t\\n\"'\\''\"'\\''\"$'\\''><=;|&(:'\\''; _xprof; "
		 "printf \"%%s\\n\" \"${COMPREPLY[@]}\"' - '%s' 2>&1",
		 scripts->directory, line);
	assert_string_equal(output_of(command, got, sizeof(got)), expected);
}

static void assert_syntax(void **state, const char *shell)
{
	const struct scripts *scripts = *state;
	char command[256], got[4096];

	if (!has_shell(shell))
		skip();
	snprintf(command, sizeof(command), "%s -n %s/xprof.%s 2>&1", shell, scripts->directory, shell);
	assert_string_equal(output_of(command, got, sizeof(got)), "");
}

static void bash_reads_its_script(void **state)
{
	assert_syntax(state, "bash");
}

static void zsh_reads_its_script(void **state)
{
	assert_syntax(state, "zsh");
}

static void fish_reads_its_script(void **state)
{
	assert_syntax(state, "fish");
}

static void bash_completes_commands(void **state)
{
	assert_bash(state, "xprof ", "greet show --help --version");
	assert_bash(state, "xprof gr", "greet");
}

static void bash_completes_options(void **state)
{
	assert_bash(state, "xprof greet --fr", "--freq=");
	assert_bash(state, "xprof greet -a --c", "--call-graph= --children --color");
	assert_bash(state, "xprof greet --no-", "--no-children --no-inherit");
	assert_bash(state, "xprof show -", "-i --input= -a --all -h --help");
}

static void bash_completes_choices_in_either_place(void **state)
{
	assert_bash(state, "xprof greet --color=a", "auto always");
	assert_bash(state, "xprof greet --percentage=", "relative absolute");
	assert_bash(state, "xprof greet -s c", "comm");
	assert_bash(state, "xprof greet -as sy", "symbol");
	assert_bash(state, "xprof greet --sort ", "comm dso symbol");
}

static void bash_completes_after_each_comma(void **state)
{
	assert_bash(state, "xprof greet -s comm,d", "comm,dso");
	assert_bash(state, "xprof greet --sort=comm,dso,s", "comm,dso,symbol");
}

static void bash_completes_events(void **state)
{
	assert_bash(state, "xprof greet -e inst", "instructions");
}

static void bash_completes_users(void **state)
{
	assert_bash(state, "xprof greet --name=roo", "root");
}

static void bash_completes_files(void **state)
{
	const struct scripts *scripts = *state;
	char line[128], expected[128];

	snprintf(line, sizeof(line), "xprof show %s/xprof.b", scripts->directory);
	snprintf(expected, sizeof(expected), "%s/xprof.bash", scripts->directory);
	assert_bash(state, line, expected);
	snprintf(line, sizeof(line), "xprof show --input=%s/xprof.f", scripts->directory);
	snprintf(expected, sizeof(expected), "%s/xprof.fish", scripts->directory);
	assert_bash(state, line, expected);
}

static void bash_completes_a_workload_s_program_and_files(void **state)
{
	const struct scripts *scripts = *state;
	char line[128], expected[128];

	assert_bash(state, "xprof greet -F 9 -a mktem", "mktemp");
	assert_bash(state, "xprof greet -- mktem", "mktemp");
	snprintf(line, sizeof(line), "xprof greet ls --color=auto %s/xprof.z", scripts->directory);
	snprintf(expected, sizeof(expected), "%s/xprof.zsh", scripts->directory);
	assert_bash(state, line, expected);
}

static void bash_offers_nothing_for_a_free_argument(void **state)
{
	assert_bash(state, "xprof greet -F ", "");
	assert_bash(state, "xprof greet --freq=", "");
	assert_bash(state, "xprof unknown -", "");
}

/* Compares fish's answer, without descriptions. */
static void assert_fish(void **state, const char *line, const char *expected)
{
	const struct scripts *scripts = *state;
	char command[512], got[4096];

	if (!has_shell("fish"))
		skip();
	snprintf(command, sizeof(command),
		 "HOME=%s XDG_CONFIG_HOME=%s/c XDG_DATA_HOME=%s/d fish --no-config -c "
		 "'source %s/xprof.fish; complete -C \"%s\"' 2>&1 | cut -f 1",
		 scripts->directory, scripts->directory, scripts->directory, scripts->directory, line);
	assert_string_equal(output_of(command, got, sizeof(got)), expected);
}

static void fish_completes_commands_options_and_choices(void **state)
{
	assert_fish(state, "xprof gr", "greet");
	assert_fish(state, "xprof greet --fr", "--freq");
	assert_fish(state, "xprof greet --percentage=r", "--percentage=relative");
	assert_fish(state, "xprof greet -s comm,d", "comm,dso");
	assert_fish(state, "xprof greet --sort=comm,d", "--sort=comm,dso");
	assert_fish(state, "xprof greet -F 9 mktem", "mktemp");
}

static void fish_leaves_a_workload_s_options_alone(void **state)
{
	assert_fish(state, "xprof greet -F 9 true --fr", "");
}

static void zsh_describes_every_option(void **state)
{
	const struct scripts *scripts = *state;
	char command[256], got[16384];

	snprintf(command, sizeof(command), "cat %s/xprof.zsh", scripts->directory);
	output_of(command, got, sizeof(got));
	assert_non_null(strstr(got, "'*-F+[greet N times]:N: '"));
	assert_non_null(strstr(got, "'*--freq=[greet N times]:N: '"));
	assert_non_null(strstr(
		got,
		"'*--percentage=-[relative to \\[what\\]\\: all of it]::percentage:( relative absolute)'"));
	assert_non_null(strstr(got, "'*--no-children[children too]'"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bash_reads_its_script),
		cmocka_unit_test(zsh_reads_its_script),
		cmocka_unit_test(fish_reads_its_script),
		cmocka_unit_test(bash_completes_commands),
		cmocka_unit_test(bash_completes_options),
		cmocka_unit_test(bash_completes_choices_in_either_place),
		cmocka_unit_test(bash_completes_after_each_comma),
		cmocka_unit_test(bash_completes_events),
		cmocka_unit_test(bash_completes_users),
		cmocka_unit_test(bash_completes_files),
		cmocka_unit_test(bash_completes_a_workload_s_program_and_files),
		cmocka_unit_test(bash_offers_nothing_for_a_free_argument),
		cmocka_unit_test(fish_completes_commands_options_and_choices),
		cmocka_unit_test(fish_leaves_a_workload_s_options_alone),
		cmocka_unit_test(zsh_describes_every_option),
	};

	return cmocka_run_group_tests(tests, write_scripts, remove_scripts);
}
