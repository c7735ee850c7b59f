#ifndef XPROF_REPORT_VIEW_SAMPLE_CHOICE_H
#define XPROF_REPORT_VIEW_SAMPLE_CHOICE_H

/* The user's choice of samples for a view: the same options for every command. */

#include "cli/option.h"
#include "profile/filter.h"
#include "report/view/list_option.h"
#include "report/waits/wait_choice.h"

struct sample_choice {
	const char *event; /* NULL: chosen by the command */
	bool wall;         /* instead of `event`: time on and off the CPU, see event_choice_join_wall() */
	struct text_list comms, dsos, symbols, cgroups;
	const char *stack; /* stack_pattern.h */
	struct number_list pids, tids, cpus;
	const char *time; /* time_range.h */
	struct wait_choice waits;
	bool hide_idle; /* idle_choice.h */
};

/* An option that sets a struct wait_choice. */
#define OPTION_WAITS(type, name_) \
	OPTION_CALLBACK(sample_choice_set_waits), .member = OPTION_MEMBER(type, name_, struct wait_choice)
option_set sample_choice_set_waits;

/* clang-format off */

/*
 * Rows of option tables that set `member`, a struct sample_choice of `type`. The first are for every command.
 */
#define SAMPLE_CHOICE_OPTIONS(type, member, comms_letter)                                                    \
	{ OPTION_TEXT_LIST(type, member.comms), .letter = (comms_letter), .name = "comms",                   \
	  .placeholder = "COMM[,COMM...]", .comma_list = true, .help = "only of threads with these names" }, \
	{ OPTION_TEXT_LIST(type, member.symbols), .letter = 'S', .name = "symbols",                          \
	  .placeholder = "SYMBOL[,SYMBOL...]", .comma_list = true, .help = "only in these functions" },      \
	{ OPTION_NUMBER_LIST(type, member.pids), .name = "pid", .placeholder = "PID[,PID...]",               \
	  .comma_list = true, .help = "only of these processes" },                                           \
	{ OPTION_NUMBER_LIST(type, member.tids), .name = "tid", .placeholder = "TID[,TID...]",               \
	  .comma_list = true, .help = "only of these threads" }

#define SAMPLE_CHOICE_EVENT(type, member)                                                                    \
	{ OPTION_STRING(type, member.event), .name = "event", .placeholder = "NAME",                         \
	  .completes = OPTION_COMPLETES_EVENT, .help = "only this event of several" }

#define SAMPLE_CHOICE_WALL(type, member)                                                                     \
	{ OPTION_FLAG(type, member.wall), .name = "wall",                                                    \
	  .help = "time on and off the CPU together, as one event wall-clock",                               \
	  .details = "For recordings of 'xprof record -e cpu-clock --off-cpu'. Both are measured in " \
	  	"nanoseconds, so percentages refer to the threads' total time. In report, -s state tells " \
	  	"them apart." }

#define SAMPLE_CHOICE_WAITS(type, member)                                                                    \
	{ OPTION_WAITS(type, member.waits), .name = "wait",                                                  \
	  .placeholder = "KIND[,KIND...]", .choices = wait_choice_names, .comma_list = true,                 \
	  .help = "only time off the CPU that was spent like this: futex, disk, runqueue ...",               \
	  .details = "For recordings of 'xprof record --off-cpu'. KIND is the state of a thread (sleeping, disk, " \
	  	"preempted, runqueue, stopped) or what it waited for (cpu, futex, pipe, socket, poll, epoll, timer, disk, " \
	  	"page-fault, child, signal, kernel-lock, other), as -s state and -s wait of 'xprof report' " \
	  	"show them; a sample is kept if either matches. Samples of other events are left out " \
	  	"unless running is among the kinds. Percentages refer to the samples that are kept, as " \
	  	"with --time." }

#define SAMPLE_CHOICE_HIDE_IDLE(type, member)                                                                \
	{ OPTION_FLAG(type, member.hide_idle), .name = "hide-idle",                                          \
	  .help = "leave out time off the CPU in which threads of pools waited for work",                    \
	  .details = "xprof recognises the idle threads of Go's scheduler, of Java's executors and " \
	  	"fork-join pools and of the JVM itself, and of Tokio, by the functions in their stacks, " \
	  	"which therefore need names. xprof prints how much time it left out. Percentages refer to " \
	  	"the remaining samples. Event loops are not hidden, nor is time on a CPU." }

#define SAMPLE_CHOICE_DSOS(type, member)                                                                     \
	{ OPTION_TEXT_LIST(type, member.dsos), .letter = 'd', .name = "dsos", .placeholder = "DSO[,DSO...]", \
	  .comma_list = true, .help = "only in these programs and libraries, by short name or path" }

/* perf script has another meaning for -d. */
#define SAMPLE_CHOICE_DSOS_LONG(type, member)                                                                \
	{ OPTION_TEXT_LIST(type, member.dsos), .name = "dsos", .placeholder = "DSO[,DSO...]",                \
	  .comma_list = true, .help = "only in these programs and libraries, by short name or path" }

#define SAMPLE_CHOICE_CGROUPS(type, member)                                                                  \
	{ OPTION_TEXT_LIST(type, member.cgroups), .name = "cgroups", .placeholder = "PATH[,PATH...]",        \
	  .comma_list = true, .help = "only in these cgroups, where they were recorded" }

#define SAMPLE_CHOICE_STACK(type, member)                                                                    \
	{ OPTION_STRING(type, member.stack), .name = "stack", .placeholder = "PATTERN",                      \
	  .help = "only stacks like main;parse;..., ...;read or ...;parse;...",                              \
	  .details = "Lists functions from the outermost caller on, as in folded stacks; three dots match " \
	  	"any number of functions. A name may be followed by @ and its file: read@libc.so.6." }

#define SAMPLE_CHOICE_CPUS(type, member)                                                                     \
	{ OPTION_NUMBER_LIST(type, member.cpus), .letter = 'C', .name = "cpu",                               \
	  .placeholder = "CPU[,CPU...]", .completes = OPTION_COMPLETES_CPU, .comma_list = true,              \
	  .help = "only on these CPUs, as in 0-3,8" }

#define SAMPLE_CHOICE_TIME(type, member)                                                                     \
	{ OPTION_STRING(type, member.time), .name = "time", .placeholder = "START,STOP",                     \
	  .help = "only from second START to second STOP, either may be left out; or 10%/2, or 10%-20%",             \
	  .details = "Seconds are those of the recording's clock, as perf script prints them; blanks " \
	  	"separate several spans. 10%/2 is the second tenth of the recording, and so is 10%-20%; " \
	  	"commas separate several of these." }

/* clang-format on */

/* Makes a filter of everything but event, stack, time and waits. Lists are borrowed from `choice`. */
struct filter sample_choice_filter(const struct sample_choice *choice);

void sample_choice_fini(struct sample_choice *choice);

#endif
