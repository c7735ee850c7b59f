/*
 * The script is fixed text around two generated case tables: _xprof_table lists the options of a command, _xprof_argument
 * completes the argument of one option. The fixed part splits the line itself, because COMP_WORDS also splits at = and :.
 */
#include "cli/option_complete.h"

#include "cli/option_complete_words.h"

/* Everything but the tables. bash's COMP_WORDS are also split at = and :, so the script splits the line itself. */
static const char preamble[] =
	"# The words of the line up to the cursor, split at spaces only.\n"
	"_xprof_split_line() {\n"
	"\tlocal line=${COMP_LINE:0:COMP_POINT}\n"
	"\tread -ra words <<<\"$line\"\n"
	"\tcase $line in *[[:space:]]) words+=('') ;; esac\n"
	"\tcword=$((${#words[@]} - 1))\n"
	"\tcur=${words[cword]}\n"
	"}\n"
	"\n"
	"# Is $1 an option whose argument is the next word? Bundled letters: the last one decides.\n"
	"_xprof_takes_next() {\n"
	"\tlocal word=$1\n"
	"\tcase $word in\n"
	"\t--*) ;;\n"
	"\t-?*)\n"
	"\t\twhile [ ${#word} -gt 2 ]; do\n"
	"\t\t\tcase \"$takes$takes_glued\" in *\" ${word:0:2} \"*) return 1 ;; esac\n"
	"\t\t\tword=-${word:2}\n"
	"\t\tdone\n"
	"\t\t;;\n"
	"\tesac\n"
	"\toption=$word\n"
	"\tcase $takes in *\" $word \"*) return 0 ;; esac\n"
	"\treturn 1\n"
	"}\n"
	"\n"
	"# Sets pending (the option whose argument is being typed) and workload_at (the index of its first word).\n"
	"_xprof_scan() {\n"
	"\tlocal i\n"
	"\tpending='' workload_at=''\n"
	"\tfor ((i = 2; i < cword; i++)); do\n"
	"\t\tif [ -n \"$pending\" ]; then\n"
	"\t\t\tpending=''\n"
	"\t\telif [ \"${words[i]}\" = -- ]; then\n"
	"\t\t\tworkload_at=$((i + 1))\n"
	"\t\t\treturn\n"
	"\t\telif _xprof_takes_next \"${words[i]}\"; then\n"
	"\t\t\tpending=$option\n"
	"\t\telif [[ ${words[i]} != -* && $operands = workload ]]; then\n"
	"\t\t\tworkload_at=$i\n"
	"\t\t\treturn\n"
	"\t\tfi\n"
	"\tdone\n"
	"\tif [[ -z $pending && $operands = workload && $cur != -* ]]; then\n"
	"\t\tworkload_at=$cword\n"
	"\tfi\n"
	"}\n"
	"\n"
	"# A command line inside of the command line. COMP_WORDS counts = and : as words, _command_offset wants that count.\n"
	"_xprof_workload() {\n"
	"\tlocal i offset=0 pieces\n"
	"\tif declare -F _command_offset >/dev/null; then\n"
	"\t\tfor ((i = 0; i < workload_at; i++)); do\n"
	"\t\t\tread -ra pieces <<<\"${words[i]//[=:]/ = }\"\n"
	"\t\t\toffset=$((offset + ${#pieces[@]}))\n"
	"\t\tdone\n"
	"\t\t_command_offset \"$offset\"\n"
	"\telif [ \"$cword\" -eq \"$workload_at\" ]; then\n"
	"\t\t_xprof_programs \"$cur\"\n"
	"\telse\n"
	"\t\t_xprof_files \"$cur\"\n"
	"\tfi\n"
	"}\n"
	"\n"
	"_xprof_lines() {\n"
	"\tlocal IFS=$'\\n'\n"
	"\tCOMPREPLY=($1)\n"
	"}\n"
	"\n"
	"_xprof_words() { _xprof_lines \"$(compgen -W \"$1\" -- \"$2\")\"; }\n"
	"\n"
	"# Words of a list; what stands before the last comma is kept.\n"
	"_xprof_list() {\n"
	"\tlocal kept=''\n"
	"\tcase $2 in *,*) kept=${2%,*}, ;; esac\n"
	"\t_xprof_lines \"$(compgen -P \"$kept\" -W \"$1\" -- \"${2##*,}\")\"\n"
	"\tcompopt -o nospace 2>/dev/null\n"
	"}\n"
	"\n"
	"_xprof_files() {\n"
	"\tcompopt -o filenames 2>/dev/null\n"
	"\t_xprof_lines \"$(compgen -f -- \"$1\")\"\n"
	"}\n"
	"\n"
	"_xprof_programs() {\n"
	"\tcompopt -o filenames 2>/dev/null\n"
	"\tcase $1 in\n"
	"\t*/*) _xprof_files \"$1\" ;;\n"
	"\t*) _xprof_lines \"$(compgen -c -- \"$1\" | sort -u)\" ;;\n"
	"\tesac\n"
	"}\n"
	"\n"
	"_xprof_users() { _xprof_lines \"$(compgen -u -- \"$1\")\"; }\n"
	"\n"
	"_xprof_pids() {\n"
	"\tlocal pids\n"
	"\tpids=$(cd /proc 2>/dev/null && compgen -G '[0-9]*')\n"
	"\t_xprof_list \"$pids\" \"$1\"\n"
	"}\n"
	"\n"
	"_xprof_cpus() {\n"
	"\tlocal cpus\n"
	"\tcpus=$(cd /sys/devices/system/cpu 2>/dev/null && compgen -G 'cpu[0-9]*')\n"
	"\t_xprof_list \"${cpus//cpu/}\" \"$1\"\n"
	"}\n"
	"\n"
	"# $1: names that are always there. Tracepoints can be listed by root only.\n"
	"_xprof_events() {\n"
	"\tlocal names=$1 file\n"
	"\tfor file in /sys/bus/event_source/devices/*/events/*; do\n"
	"\t\tcase $file in *\\** | *.scale | *.unit | *.snapshot | *.per-pkg) continue ;; esac\n"
	"\t\tfile=${file#/sys/bus/event_source/devices/}\n"
	"\t\tnames+=\" ${file%%/*}/${file##*/}/\"\n"
	"\tdone\n"
	"\tfor file in /sys/kernel/tracing/events/*/*/id; do\n"
	"\t\tcase $file in *\\**) continue ;; esac\n"
	"\t\tfile=${file#/sys/kernel/tracing/events/}\n"
	"\t\tfile=${file%/id}\n"
	"\t\tnames+=\" ${file/\\//:}\"\n"
	"\tdone\n"
	"\t_xprof_list \"$names\" \"$2\"\n"
	"}\n"
	"\n"
	"# readline replaces only what follows the last = or : of the word.\n"
	"_xprof_cut_replies() {\n"
	"\tlocal i kept=$1\n"
	"\tcase $COMP_WORDBREAKS in *:*) ;; *) kept=${kept//:/_} ;; esac\n"
	"\tcase $COMP_WORDBREAKS in *=*) ;; *) kept=${kept//=/_} ;; esac\n"
	"\tcase $kept in *[=:]*) kept=${kept%\"${kept##*[=:]}\"} ;; *) return ;; esac\n"
	"\tfor i in \"${!COMPREPLY[@]}\"; do\n"
	"\t\tCOMPREPLY[i]=${COMPREPLY[i]:${#kept}}\n"
	"\tdone\n"
	"}\n"
	"\n";

static const char main_function[] =
	"_xprof() {\n"
	"\tlocal words cword cur option pending workload_at i prefix=''\n"
	"\tlocal offered='' takes='' takes_glued='' operands=''\n"
	"\tCOMPREPLY=()\n"
	"\t_xprof_split_line\n"
	"\tif [ \"$cword\" -le 1 ]; then\n"
	"\t\t_xprof_words \"$_xprof_commands --help --version\" \"$cur\"\n"
	"\t\treturn\n"
	"\tfi\n"
	"\t_xprof_table \"${words[1]}\"\n"
	"\t_xprof_scan\n"
	"\tif [ -n \"$workload_at\" ]; then\n"
	"\t\t_xprof_workload\n"
	"\t\treturn\n"
	"\tfi\n"
	"\tif [ -n \"$pending\" ]; then\n"
	"\t\t_xprof_argument \"${words[1]}\" \"$pending\" \"$cur\"\n"
	"\telif [[ $cur = --*=* ]]; then\n"
	"\t\tprefix=${cur%%=*}=\n"
	"\t\t_xprof_argument \"${words[1]}\" \"${cur%%=*}\" \"${cur#*=}\"\n"
	"\t\tfor i in \"${!COMPREPLY[@]}\"; do\n"
	"\t\t\tCOMPREPLY[i]=$prefix${COMPREPLY[i]}\n"
	"\t\tdone\n"
	"\telif [[ $cur = -* ]]; then\n"
	"\t\t_xprof_words \"$offered\" \"$cur\"\n"
	"\t\t[[ ${#COMPREPLY[@]} -eq 1 && $COMPREPLY = *= ]] && compopt -o nospace 2>/dev/null\n"
	"\telif [ \"$operands\" = files ]; then\n"
	"\t\t_xprof_files \"$cur\"\n"
	"\telif [ \"$operands\" = topics ]; then\n"
	"\t\t_xprof_words \"$_xprof_commands\" \"$cur\"\n"
	"\tfi\n"
	"\t_xprof_cut_replies \"$cur\"\n"
	"}\n"
	"\n"
	"complete -F _xprof xprof\n";

static const char *operands_word(enum cli_operands operands)
{
	switch (operands) {
	case CLI_OPERANDS_WORKLOAD: return "workload";
	case CLI_OPERANDS_FILES: return "files";
	case CLI_OPERANDS_TOPICS: return "topics";
	default: return "none";
	}
}

/* " --freq=": if an argument must follow, the shell types the equals sign. */
static void add_offered(struct strbuf *out, const struct option *option)
{
	struct complete_names names = complete_names_of(option);

	if (option->letter)
		strbuf_addf(out, " -%c", option->letter);
	for (unsigned i = 0; i < names.count; i++)
		strbuf_addf(out, " --%s%s", names.texts[i],
			    option_takes_argument(option) && !option->argument_optional ? "=" : "");
}

static void add_takes(struct strbuf *out, const struct option *option)
{
	if (option->letter)
		strbuf_addf(out, "-%c ", option->letter);
	if (option->name)
		strbuf_addf(out, "--%s ", option->name);
}

static void add_table(struct strbuf *out, const struct cli_command *command)
{
	strbuf_addf(out, "\t%s)\n\t\toperands=%s\n\t\toffered='", command->name,
		    operands_word(command->operands));
	for (const struct option *option = NULL; (option = option_next(command, option));)
		if (option->kind != OPTION_KIND_GROUP)
			add_offered(out, option);
	strbuf_adds(out, "'\n\t\ttakes=' ");
	for (const struct option *option = NULL; (option = option_next(command, option));)
		if (option_takes_argument(option) && !option->argument_optional)
			add_takes(out, option);
	strbuf_adds(out, "'\n\t\ttakes_glued=' ");
	for (const struct option *option = NULL; (option = option_next(command, option));)
		if (option->argument_optional && option->letter)
			strbuf_addf(out, "-%c ", option->letter);
	strbuf_adds(out, "'\n\t\t;;\n");
}

/* The function call that completes the argument "$3". */
static void add_action(struct strbuf *out, const struct option *option)
{
	switch (option->completes) {
	case OPTION_COMPLETES_FILE: strbuf_adds(out, "_xprof_files \"$3\""); return;
	case OPTION_COMPLETES_PID: strbuf_adds(out, "_xprof_pids \"$3\""); return;
	case OPTION_COMPLETES_COMMAND: strbuf_adds(out, "_xprof_programs \"$3\""); return;
	case OPTION_COMPLETES_USER: strbuf_adds(out, "_xprof_users \"$3\""); return;
	case OPTION_COMPLETES_CPU: strbuf_adds(out, "_xprof_cpus \"$3\""); return;
	case OPTION_COMPLETES_EVENT: strbuf_adds(out, "_xprof_events "); break;
	default: strbuf_adds(out, option->comma_list ? "_xprof_list " : "_xprof_words ");
	}
	complete_add_quoted_choices(out, option, COMPLETE_QUOTE_POSIX);
	strbuf_adds(out, " \"$3\"");
}

static void add_arguments(struct strbuf *out, const struct cli_command *command)
{
	for (const struct option *option = NULL; (option = option_next(command, option));) {
		if (!complete_has_arguments(option))
			continue;
		strbuf_adds(out, "\t");
		if (option->letter)
			strbuf_addf(out, "%s:-%c", command->name, option->letter);
		if (option->letter && option->name)
			strbuf_adds(out, " | ");
		if (option->name)
			strbuf_addf(out, "%s:--%s", command->name, option->name);
		strbuf_adds(out, ") ");
		add_action(out, option);
		strbuf_adds(out, " ;;\n");
	}
}

void option_complete_bash(struct strbuf *out, const struct cli_program *program)
{
	strbuf_addf(out, "# bash completion for %s; written by '%s help --completion=bash'\n", program->name,
		    program->name);
	strbuf_adds(out, "# shellcheck shell=bash disable=SC2034,SC2128,SC2206\n\n");
	strbuf_adds(out, "_xprof_commands='");
	for (size_t i = 0; program->commands[i]; i++)
		strbuf_addf(out, "%s%s", i ? " " : "", program->commands[i]->name);
	strbuf_adds(out, "'\n\n");
	strbuf_adds(out, preamble);

	strbuf_adds(out, "# offered: what - completes to; takes: whose argument may be the next word;\n"
			 "# takes_glued: letters whose argument is in the same word only.\n"
			 "_xprof_table() {\n\tcase $1 in\n");
	for (size_t i = 0; program->commands[i]; i++)
		add_table(out, program->commands[i]);
	strbuf_adds(out, "\tesac\n}\n\n# $1 the command, $2 its option, $3 the argument so far.\n"
			 "_xprof_argument() {\n\tcase $1:$2 in\n");
	for (size_t i = 0; program->commands[i]; i++)
		add_arguments(out, program->commands[i]);
	strbuf_adds(out, "\tesac\n}\n\n");
	strbuf_adds(out, main_function);
}
