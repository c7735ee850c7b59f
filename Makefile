# make                    build/xprof
# make check              every test, after installing what the tests need
# make help               the other targets
#
# Sources are found by wildcard: src/ROOM/*.c, src/WING/ROOM/*.c, test alike, test/e2e/*.t,
# test/fuzz/fuzz_*.c. Everything that is made lies in $(BUILD).

VERSION := $(shell cat VERSION)
PREFIX ?= /usr/local
DESTDIR ?=
PKG_CONFIG ?= pkg-config
PROVE ?= prove
CLANG ?= clang

# make's own default for CC is "cc"; xprof is built with gcc unless told otherwise.
ifeq ($(origin CC),default)
CC := gcc
endif
ifeq ($(origin AR),default)
AR := gcc-ar
endif

# SANITIZE=address|undefined|thread builds the same things in a directory of their own.
SANITIZE ?=
SANITIZE_DIR_address := asan
SANITIZE_DIR_undefined := ubsan
SANITIZE_DIR_thread := tsan
SANITIZE_DIR_fuzzer := fuzz
# STATIC=1 builds one file that needs nothing installed on the machine where it runs: see static.
STATIC ?=
ifeq ($(STATIC),1)
CFLAGS ?= -O2 -fno-omit-frame-pointer -ffunction-sections -fdata-sections
# The linker warns of libtraceevent's dlopen(), which would load plugins: xprof has it load none.
STATIC_LDFLAGS := -static -Wl,--gc-sections -Wl,--strip-debug -Wl,--no-warnings
endif
ifeq ($(SANITIZE),)
BUILD ?= build
else ifdef SANITIZE_DIR_$(SANITIZE)
BUILD ?= build/$(SANITIZE_DIR_$(SANITIZE))
else
$(error SANITIZE is address, undefined or thread, not '$(SANITIZE)')
endif
# One name for one directory: it is part of the flags that objects depend on.
override BUILD := $(patsubst $(CURDIR)/%,%,$(BUILD))
# Both sanitizers at once: one build and one run find the errors of both.
SANITIZE_FLAGS_address := -fsanitize=address,undefined -fno-sanitize-recover=all -O1
SANITIZE_FLAGS_undefined := -fsanitize=undefined -fno-sanitize-recover=all
SANITIZE_FLAGS_thread := -fsanitize=thread -O1
SANITIZE_FLAGS_fuzzer := -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
SANITIZE_FLAGS := $(SANITIZE_FLAGS_$(SANITIZE))

CFLAGS ?= -O2 -g -fno-omit-frame-pointer
WARNINGS := -Wall -Wextra -Wformat-security -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
ifeq ($(WERROR),1)
WARNINGS += -Werror
endif

# Goals that compile nothing need no probing (and must work where no compiler is installed yet).
NO_BUILD_GOALS := clean format help lint check check-again check-long check-skips deb demo dist bench rpm setup static
ifneq ($(filter-out $(NO_BUILD_GOALS),$(or $(MAKECMDGOALS),all)),)
PROBED := $(shell CC='$(CC)' CLANG='$(CLANG)' BPFTOOL='$(BPFTOOL)' PKG_CONFIG='$(PKG_CONFIG)' STATIC='$(STATIC)' VERSION='$(VERSION)' scripts/probe.sh '$(BUILD)' >&2 || echo failed)
ifneq ($(PROBED),)
$(error scripts/probe.sh failed)
endif
include $(BUILD)/config.mk
endif

ALL_CPPFLAGS = -D_GNU_SOURCE -Isrc -I$(BUILD) $(OPTION_CPPFLAGS) $(CPPFLAGS)
ALL_CFLAGS = -std=c17 $(WARNINGS) $(CFLAGS) $(SANITIZE_FLAGS)
# --as-needed: links only the libraries that something uses.
ALL_LDFLAGS = $(CFLAGS) $(SANITIZE_FLAGS) -pthread -Wl,--as-needed $(STATIC_LDFLAGS) $(LDFLAGS)
# dlopen() is in a library of its own before glibc 2.34.
ALL_LIBS = $(OPTION_LIBS) -lm -ldl $(LIBS)

BPF_SOURCES := $(sort $(wildcard src/*/bpf/*.bpf.c))
LIB_SOURCES := $(sort $(filter-out $(BPF_SOURCES),$(wildcard src/*/*.c src/*/*/*.c)))
MAIN_SOURCE := $(wildcard src/main.c)
LIB_OBJECTS := $(LIB_SOURCES:%.c=$(BUILD)/obj/%.o) $(BUILD)/obj/web_assets.o
WEB_ASSETS := $(sort $(wildcard src/report/flame/web/*.js src/report/flame/web/*.css src/report/flame/web/*.html))
MAIN_OBJECT := $(MAIN_SOURCE:%.c=$(BUILD)/obj/%.o)
LIBRARY := $(BUILD)/libxprof.a
PROGRAM := $(if $(MAIN_SOURCE),$(BUILD)/xprof)

SUPPORT_SOURCES := $(sort $(wildcard test/support/*.c))
SUPPORT_OBJECTS := $(SUPPORT_SOURCES:%.c=$(BUILD)/obj/%.o)
TEST_SOURCES := $(sort $(wildcard test/*/*_test.c test/*/*/*_test.c))
TEST_OBJECTS := $(TEST_SOURCES:%.c=$(BUILD)/obj/%.o)
UNIT_TESTS := $(TEST_SOURCES:%.c=$(BUILD)/%)
E2E_TESTS := $(sort $(wildcard test/e2e/*.t))
META_TESTS := $(sort $(wildcard test/meta/*.t))
LONG_TESTS := $(sort $(wildcard test/long/*.t))
TSAN_TESTS := $(sort $(wildcard test/tsan/*.t))
# The thread sanitizer is only useful for tests that start threads, or whose sources do.
THREADED := $(shell grep -l -E 'pthread\.h|thread_pool\.h|source_workers\.h' $(TEST_SOURCES) $(LIB_SOURCES))
THREAD_TESTS := $(sort $(patsubst %.c,$(BUILD)/%,$(filter $(TEST_SOURCES),$(THREADED:src/%.c=test/%_test.c))))

all: $(LIBRARY) $(PROGRAM) docs

$(LIBRARY): $(LIB_OBJECTS)
	@rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/xprof: $(MAIN_OBJECT) $(LIBRARY)
	$(CC) $(ALL_LDFLAGS) -o $@ $(MAIN_OBJECT) $(LIBRARY) $(ALL_LIBS)

# One file for a crisis: it runs on every distribution, in containers and in rescue shells. Libraries that this machine does not
# have as archives are left out; build/static/xprof version --build-options names them.
static:
	@$(MAKE) --no-print-directory STATIC=1 BUILD=build/static build/static/xprof
	@ls -l build/static/xprof

$(BUILD)/obj/%.o: %.c $(BUILD)/flags | require-libraries
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(if $(filter test/%,$<),-Itest) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# Pages that the program writes carry these with them.
$(BUILD)/web_assets.c: $(WEB_ASSETS) scripts/embed.sh
	@mkdir -p $(@D)
	scripts/embed.sh $(WEB_ASSETS) >$@

$(BUILD)/obj/web_assets.o: $(BUILD)/web_assets.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# Programs for the kernel: compiled for BPF, and embedded in xprof with a loader that bpftool makes of each.
BPF_SKELETONS := $(if $(HAVE_BPF),$(patsubst %.bpf.c,$(BUILD)/bpf/%.skeleton.h,$(notdir $(BPF_SOURCES))))

$(BUILD)/bpf/%.o: src/record/bpf/%.bpf.c $(wildcard src/record/bpf/*.h) $(BUILD)/flags
	@mkdir -p $(@D)
	$(CLANG) -target bpf -mcpu=v3 -O2 -g -Wall -Wextra $(BPF_CPPFLAGS) -Isrc -c -o $@ $<

$(BUILD)/bpf/%.skeleton.h: $(BUILD)/bpf/%.o
	$(BPFTOOL) gen skeleton -L $< name $* >$@.tmp
	mv $@.tmp $@

bpf-skeletons: $(BPF_SKELETONS)
$(BUILD)/obj/src/record/bpf/stack_copier.o $(BUILD)/obj/src/record/bpf/off_cpu_tracer.o: $(BPF_SKELETONS)

$(UNIT_TESTS): $(BUILD)/%: $(BUILD)/obj/%.o $(SUPPORT_OBJECTS) $(LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) -o $@ $< $(SUPPORT_OBJECTS) $(LIBRARY) -lcmocka $(ALL_LIBS)

# The unwinder beside the truth: programs followed instruction by instruction under ptrace, on x86-64.
TRUTH := $(BUILD)/test/truth/truth
TRUTH_OBJECTS := $(patsubst %.c,$(BUILD)/obj/%.o,$(filter-out %_test.c,$(wildcard test/truth/*.c)))

-include $(TRUTH_OBJECTS:.o=.d)
$(TRUTH): $(TRUTH_OBJECTS) $(LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(ALL_LIBS)

# Stacks of a recording with less and less of their dumps.
SWEEP := $(BUILD)/test/sweep/sweep

-include $(BUILD)/obj/test/sweep/sweep.d
$(SWEEP): $(BUILD)/obj/test/sweep/sweep.o $(LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(ALL_LIBS)

# Compares stacks that the recorder continues with copies of the whole stack, and those copies with the stopped thread's stack.
CONTINUED := $(BUILD)/test/continued/continued $(BUILD)/test/continued/copied
CONTINUED_SHARED := $(BUILD)/obj/test/continued/user_frames.o

-include $(CONTINUED:$(BUILD)/%=$(BUILD)/obj/%.d) $(CONTINUED_SHARED:.o=.d)
$(CONTINUED): $(BUILD)/%: $(BUILD)/obj/%.o $(CONTINUED_SHARED) $(LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(ALL_LIBS)

# Shows the evidence that the recorder would have written, from a recording with all evidence.
REDUCE := $(BUILD)/test/evidence/reduce

-include $(REDUCE:$(BUILD)/%=$(BUILD)/obj/%.d)
$(REDUCE): $(BUILD)/obj/test/evidence/reduce.o $(LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(ALL_LIBS)

# The parts that its unit tests cover run on any machine.
TRUTH_TESTED := $(filter %/instruction.o %/shadow_stack.o %/verdict.o,$(TRUTH_OBJECTS))
TRUTH_UNIT_TESTS := $(filter $(BUILD)/test/truth/%,$(UNIT_TESTS))
$(TRUTH_UNIT_TESTS): SUPPORT_OBJECTS += $(TRUTH_TESTED)
$(TRUTH_UNIT_TESTS): $(TRUTH_TESTED)

# Programs that the end-to-end tests run directly.
TEST_TOOLS := $(patsubst test/tools/%.c,$(BUILD)/test/tools/%,$(sort $(wildcard test/tools/*.c)))

-include $(TEST_TOOLS:$(BUILD)/%=$(BUILD)/obj/%.d)
$(TEST_TOOLS): $(BUILD)/%: $(BUILD)/obj/%.o $(SUPPORT_OBJECTS) $(LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ -lcmocka $(ALL_LIBS)

# A kernel for tests: answers perf_event_open() of a recorder, and writes the records of a script into its rings.
KERNEL_PLAYER := $(BUILD)/test/kernel/kernel_player
KERNEL_OBJECTS := $(patsubst %.c,$(BUILD)/obj/%.o,$(filter-out %_test.c,$(wildcard test/kernel/*.c)))

-include $(KERNEL_OBJECTS:.o=.d)
$(KERNEL_PLAYER): $(KERNEL_OBJECTS) $(LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(ALL_LIBS)

KERNEL_TESTED := $(filter %/play_script.o %/played_event.o %/played_epoll.o,$(KERNEL_OBJECTS))
KERNEL_UNIT_TESTS := $(filter $(BUILD)/test/kernel/%,$(UNIT_TESTS))
$(KERNEL_UNIT_TESTS): SUPPORT_OBJECTS += $(KERNEL_TESTED)
$(KERNEL_UNIT_TESTS): $(KERNEL_TESTED)

# Objects depend on the flags they are made with: another CC, CFLAGS or library makes them anew.
# -Werror changes no object.
FLAGS_TEXT = $(CC) $(ALL_CPPFLAGS) $(filter-out -Werror,$(ALL_CFLAGS))
$(BUILD)/flags: always
	@mkdir -p $(@D)
	@echo $(call quote,$(FLAGS_TEXT)) | cmp -s - $@ || echo $(call quote,$(FLAGS_TEXT)) >$@
quote = '$(subst ','\'',$(1))'

require-libraries:
	@if [ -n '$(strip $(MISSING_LIBRARIES))' ]; then \
		echo 'missing:$(MISSING_LIBRARIES). scripts/setup.sh --for=build installs it.' >&2; exit 1; fi

-include $(LIB_OBJECTS:.o=.d) $(MAIN_OBJECT:.o=.d) $(SUPPORT_OBJECTS:.o=.d) $(TEST_OBJECTS:.o=.d)

# --- tests -----------------------------------------------------------------
# Every test speaks TAP; -e makes prove run each as the program it is.
TEST_ENV = CMOCKA_MESSAGE_OUTPUT=TAP XPROF='$(abspath $(BUILD)/xprof)' BUILD='$(abspath $(BUILD))' \
	CORPUS='$(abspath $(or $(CORPUS),../shared/corpus))' \
	ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1
# The tests that were skipped, and why: for check-skips.
SKIPPED = $(abspath $(BUILD))/skipped
# Two tests at a time: first unit and meta tests, then two queues side by side. One queue has the tests that record the system,
# mount something, or count recorded samples: these run one after the other. The other has the tests listed here, which may run
# beside anything. (prove begins every "par" of its rules before any "seq": if these tests were a "par", the first queue would
# run alone at the end.)
OVERLAPPING_TESTS = $(wildcard $(call tests,apk archive bare_assembly branch_blocks branch_history branch_report branches_corpus cli_tables cli_usage \
	clone_names convert_corpus convert_file corpus_table debuginfod debuginfod_hostile diff diff_unwind \
	dump_file export_code export_formats export_markers export_viewers flame_agreement flame_blocks \
	flame_browser flame_day flame_scripts flamegraph fuzz_replay hardware_traces hostile_names hybrid_events \
	import inlines install jitdump kept_maps kernel_counters kernel_epoll \
	kernel_lines missing_names nameless_functions off_cpu_page \
	own_recordings perf_equality perf_names programs_32bit recorded_names report_errors report_views \
	script_branches script_corpus script_unwind source_lines stack_guess stack_sweep stack_switches \
	stripped_names swift_names symbol_names unwind_dump unwind_truth view_options))
comma := ,
tests = $(patsubst %,test/e2e/%.t,$1)
names = {$(subst $(eval ) ,$(comma),$(basename $(notdir $1)))}
# Keeps the output of each test in $(BUILD)/logs, and the list of failed tests in $(BUILD)/tests.state: for check-again.
LOGGED = SKIPPED='$(SKIPPED)' TEST_LOGS='$(abspath $(BUILD))/logs'
RUN_TESTS = : >'$(SKIPPED)'; rm -rf $(addprefix $(BUILD)/,logs tests.state failed unstable); \
	$(TEST_ENV) $(LOGGED) $(PROVE) -e test/lib/run.sh --state=save --statefile=$(BUILD)/tests.state -j2 \
	--rules='seq=test/e2e/$(call names,$(filter-out $(OVERLAPPING_TESTS),$(E2E_TESTS))).t' \
	--rules='seq=test/e2e/$(call names,$(OVERLAPPING_TESTS)).t' --rules='par=**' $(PROVE_FLAGS)

check: setup-test
	@$(MAKE) --no-print-directory check-all

check-all: all tests demo-workload replays
	$(RUN_TESTS) $(UNIT_TESTS) $(META_TESTS) $(E2E_TESTS)

check-unit: tests
	$(if $(UNIT_TESTS),$(RUN_TESTS) $(UNIT_TESTS),@echo no unit tests)

check-e2e: all demo-workload replays $(REDUCE) $(TEST_TOOLS) $(KERNEL_PLAYER)
	$(if $(E2E_TESTS),$(RUN_TESTS) $(E2E_TESTS),@echo no end-to-end tests)

check-meta:
	$(if $(META_TESTS),$(RUN_TESTS) $(META_TESTS),@echo no meta tests)

check-asan check-ubsan: check-%:
	@$(MAKE) --no-print-directory SANITIZE=$(if $(filter asan,$*),address,undefined) check-sanitized

# Tests that run in a browser and in node are not sanitized (flamegraph.t makes the pages, too), nor tests that ask for perf's
# numbers once more: script_perf.t, perf_recordings.t and view_options.t run the same code paths. The fuzzers' functions in
# fuzz_replay.t read the files of the corpus and debug information of all kinds.
check-sanitized: all tests demo-workload replays
	$(RUN_TESTS) $(UNIT_TESTS) $(filter-out $(call tests,flame_% export_viewers off_cpu_page perf_commands perf_equality perf_names perf_options record_cgroups record_header \
		report_perf_equality convert_corpus script_corpus source_lines),$(E2E_TESTS))

check-tsan:
	@$(MAKE) --no-print-directory SANITIZE=thread check-threads

# Unit tests of code with threads, and the whole program.
check-threads: all $(THREAD_TESTS) demo-workload
	$(RUN_TESTS) $(THREAD_TESTS) $(TSAN_TESTS)

# After the tests of these builds have run: fails if a test was skipped that test/skips.expected does not list.
SKIPS_OF ?= build build/asan build/tsan
check-skips:
	scripts/skipped.sh $(SKIPS_OF)

# Runs the tests that failed in the last run of this build (SANITIZE=address: of check-asan) once more, one after the other.
check-again:
	$(TEST_ENV) $(LOGGED) PROVE='$(PROVE)' scripts/check_again.sh $(BUILD)

check-valgrind: tests
	$(TEST_ENV) $(PROVE) -e 'test/lib/run.sh valgrind -q --error-exitcode=99 --leak-check=full' $(PROVE_FLAGS) $(UNIT_TESTS)

# Runs all of test/long to the end, even after failures; resumes an interrupted run. LONG_TESTS names some of the tests.
check-long:
	scripts/setup.sh --for=long
	@$(MAKE) --no-print-directory check-long-now

check-long-now: all tests demo-workload
	@$(TEST_ENV) scripts/check_long.sh $(BUILD)/long $(LONG_TESTS)

tests: $(UNIT_TESTS) $(SWEEP) $(CONTINUED) $(REDUCE) $(TEST_TOOLS) $(KERNEL_PLAYER) $(if $(filter x86_64,$(shell uname -m)),$(TRUTH))

setup setup-test:
	scripts/setup.sh --for=test

# --- fuzzing: one libFuzzer program per test/fuzz/fuzz_*.c --------------------
FUZZ_SOURCES := $(sort $(wildcard test/fuzz/fuzz_*.c))
FUZZERS := $(FUZZ_SOURCES:test/fuzz/%.c=$(BUILD)/%)

fuzz:
	@$(MAKE) --no-print-directory SANITIZE=fuzzer CC=$(CLANG) fuzzers

fuzzers: $(FUZZERS)
	@echo "fuzzers:$(if $(FUZZERS), $(FUZZERS), none)"

# Runs each for FUZZ_SECONDS and at most FUZZ_RUNS executions (-1: any number), from the files of $(CORPUS) if there are any;
# findings stay in build/fuzz/. Short inputs are many times as fast, and the seeds of single records fit into 1536 bytes. FUZZ
# names some programs: make fuzz-run FUZZ=fuzz_perf_pipe FUZZ_SECONDS=3600 FUZZ_MAX_LEN=1536
FUZZ_SECONDS ?= 60
FUZZ_RUNS ?= -1
FUZZ_MAX_LEN ?= 65536
FUZZ ?= $(FUZZ_SOURCES:test/fuzz/%.c=%)
fuzz-run: fuzz seeds
	@for fuzzer in $(FUZZ); do \
		mkdir -p build/fuzz/$$fuzzer.corpus; echo "== $$fuzzer, $(FUZZ_SECONDS) s"; \
		ASAN_OPTIONS=allocator_may_return_null=1 build/fuzz/$$fuzzer -max_total_time=$(FUZZ_SECONDS) \
			-runs=$(FUZZ_RUNS) -max_len=$(FUZZ_MAX_LEN) -rss_limit_mb=2048 -timeout=20 -print_final_stats=1 -verbosity=0 \
			-artifact_prefix=build/fuzz/$$fuzzer. build/fuzz/$$fuzzer.corpus \
			$(BUILD)/seeds $(wildcard $(or $(CORPUS),../shared/corpus)/quipper-fuzz) || exit; done

# The same functions without libFuzzer, for make check: test/e2e/fuzz_replay.t gives them the corpus.
REPLAYS := $(FUZZ_SOURCES:test/fuzz/%.c=$(BUILD)/replay/%)

replays: $(REPLAYS) seeds

# Recordings that the tests' own builder makes, for fuzzers to begin with.
seeds: $(BUILD)/seeds/.made

$(BUILD)/seeds/.made: $(BUILD)/replay/seeds
	@mkdir -p $(@D)
	@$< $(@D)
	@touch $@

$(BUILD)/replay/seeds: $(BUILD)/obj/test/fuzz/seeds.o $(BUILD)/obj/test/fuzz/import_seeds.o $(SUPPORT_OBJECTS) $(LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ -lcmocka $(ALL_LIBS)

$(REPLAYS): $(BUILD)/replay/%: $(BUILD)/obj/test/fuzz/%.o $(BUILD)/obj/test/fuzz/replay.o $(SUPPORT_OBJECTS) $(LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ -lcmocka $(ALL_LIBS)

$(FUZZERS): $(BUILD)/%: $(BUILD)/obj/test/fuzz/%.o $(SUPPORT_OBJECTS) $(LIBRARY)
	$(CC) $(ALL_LDFLAGS) -fsanitize=fuzzer -o $@ $^ -lcmocka $(ALL_LIBS)

-include $(FUZZ_SOURCES:%.c=$(BUILD)/obj/%.d)

# --- the demo workload: its flags are its shape, so CFLAGS and SANITIZE do not reach it ------
DEMO := $(BUILD)/demo/workload
DEMO_FLAGS := -O2 -g -D_GNU_SOURCE -Wall -Wextra -fno-inline -fno-optimize-sibling-calls -fno-omit-frame-pointer
DEMO_SOURCES := $(sort $(wildcard demo/*.c demo/*.cc))
DEMO_OBJECTS := $(DEMO_SOURCES:%=$(BUILD)/obj/%.o)

demo-workload: $(DEMO)

$(BUILD)/obj/demo/deep_c.c.o $(BUILD)/obj/demo/virtual_cpp.cc.o: DEMO_FLAGS += -fomit-frame-pointer
$(BUILD)/obj/demo/%.c.o: demo/%.c Makefile
	@mkdir -p $(@D)
	$(CC) -std=c17 $(DEMO_FLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/obj/demo/%.cc.o: demo/%.cc Makefile
	@mkdir -p $(@D)
	$(CXX) -std=c++17 $(DEMO_FLAGS) -MMD -MP -c -o $@ $<

$(DEMO): $(DEMO_OBJECTS)
	@mkdir -p $(@D)
	$(CXX) -pthread -o $@ $^

-include $(DEMO_OBJECTS:.o=.d)

# Installs, builds, records the whole machine while the workload runs, reports.
demo:
	scripts/demo.sh

# --- manual pages and completion: the program writes them from its own tables -----
docs: $(if $(PROGRAM),$(BUILD)/man/.made $(BUILD)/completion/.made)

$(BUILD)/man/.made: $(PROGRAM)
	@rm -rf $(@D) && mkdir -p $(@D)
	@$(PROGRAM) help --man >$(@D)/xprof.1
	@for command in $$($(PROGRAM) help --commands); do \
		$(PROGRAM) help --man $$command >$(@D)/xprof-$$command.1 || exit; done
	@touch $@

# Each file gets the name that its shell looks for.
$(BUILD)/completion/.made: $(PROGRAM)
	@rm -rf $(@D) && mkdir -p $(@D)
	@$(PROGRAM) help --completion=bash >$(@D)/xprof
	@$(PROGRAM) help --completion=zsh >$(@D)/_xprof
	@$(PROGRAM) help --completion=fish >$(@D)/xprof.fish
	@touch $@

# --- benchmarks ----------------------------------------------------------------
bench:
	scripts/setup.sh --for=bench
	@$(MAKE) --no-print-directory bench-now

BENCH_TOOLS := $(patsubst bench/%.c,$(BUILD)/bench/%,$(filter-out bench/pair.c,$(wildcard bench/*.c)))

bench-now: all demo-workload $(TEST_TOOLS) $(BUILD)/bench/pair $(BENCH_TOOLS)
	BUILD=$(BUILD) bench/bench.sh $(BENCH)

$(BUILD)/bench/pair: bench/pair.c
	@mkdir -p $(@D)
	$(CC) -std=c17 -D_GNU_SOURCE $(WARNINGS) $(CFLAGS) -pthread -o $@ $<

# Uses the tests' code that inspects the running process.
$(BUILD)/bench/unwind: $(BUILD)/obj/test/support/own_process.o
$(BUILD)/obj/bench/unwind.o: ALL_CPPFLAGS += -Itest

# Uses the tests' code that fills rings as a kernel does.
$(BUILD)/bench/ring_feed: $(BUILD)/obj/test/support/fake_rings.o
$(BUILD)/obj/bench/ring_feed.o: ALL_CPPFLAGS += -Itest

$(BENCH_TOOLS): $(BUILD)/bench/%: $(BUILD)/obj/bench/%.o $(LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(ALL_LIBS)

-include $(BENCH_TOOLS:$(BUILD)/%=$(BUILD)/obj/%.d)

# --- everything else ---------------------------------------------------------
lint:
	+scripts/lint.sh

# In place, everything that is tracked or about to be.
format:
	scripts/lint.sh --format

# Nothing is stripped: symbols make xprof's own profiles readable.
INSTALL_SHARE := share/man/man1 share/bash-completion/completions share/zsh/site-functions \
	share/fish/vendor_completions.d
install: all
	install -d $(addprefix '$(DESTDIR)$(PREFIX)'/,bin $(INSTALL_SHARE))
	install -m 755 $(BUILD)/xprof '$(DESTDIR)$(PREFIX)/bin/xprof'
	ln -sf xprof '$(DESTDIR)$(PREFIX)/bin/perf_to_profile'
	install -m 644 $(BUILD)/man/*.1 '$(DESTDIR)$(PREFIX)/share/man/man1/'
	echo .so man1/xprof-export.1 >'$(DESTDIR)$(PREFIX)/share/man/man1/perf_to_profile.1'
	install -m 644 $(BUILD)/completion/xprof '$(DESTDIR)$(PREFIX)/share/bash-completion/completions/'
	install -m 644 $(BUILD)/completion/_xprof '$(DESTDIR)$(PREFIX)/share/zsh/site-functions/'
	install -m 644 $(BUILD)/completion/xprof.fish '$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/'

# Recurring recordings by systemd (doc/packages.md). systemd looks for units in /usr/local/lib, too.
SYSCONFDIR ?= /etc
FILL_IN = sed 's|@PREFIX@|$(PREFIX)|g; s|@SYSCONFDIR@|$(SYSCONFDIR)|g'
UNITS = $(DESTDIR)$(PREFIX)/lib/systemd/system
install-service:
	install -d '$(DESTDIR)$(PREFIX)/libexec/xprof' '$(UNITS)' '$(DESTDIR)$(SYSCONFDIR)/default'
	$(FILL_IN) packaging/xprof-record >'$(DESTDIR)$(PREFIX)/libexec/xprof/xprof-record'
	chmod 755 '$(DESTDIR)$(PREFIX)/libexec/xprof/xprof-record'
	$(FILL_IN) packaging/xprof-record.service.in >'$(UNITS)/xprof-record.service'
	install -m 644 packaging/xprof-record.timer '$(UNITS)/'
	[ -e '$(DESTDIR)$(SYSCONFDIR)/default/xprof-record' ] || \
		install -m 644 packaging/xprof-record.default '$(DESTDIR)$(SYSCONFDIR)/default/xprof-record'

# A tarball of the sources, and packages made from it, in $(BUILD)/packages.
dist deb rpm:
	@scripts/package.sh $@ $(BUILD)

clean:
	rm -rf $(BUILD)

help:
	@echo 'make [WERROR=1] [CC=clang] [SANITIZE=address|undefined|thread]   build/xprof'
	@echo 'make check         install what the tests need, run unit, meta and end-to-end tests'
	@echo 'make check-unit | check-e2e | check-meta | check-valgrind'
	@echo 'make check-long    what takes hours: goes on after failures and interruptions, ends with a table'
	@echo 'make check-again   the tests that failed, once more and alone: those that pass now are named as unstable'
	@echo 'make check-skips   after check, check-asan and check-tsan: fails if tests were skipped that test/skips.expected does not name'
	@echo 'make check-asan | check-ubsan | check-tsan   the same tests, sanitized (asan: both of the first two)'
	@echo 'make fuzz          libFuzzer programs in build/fuzz/; make fuzz-run runs each for FUZZ_SECONDS=60'
	@echo 'make lint          clang-format, clang-tidy, shellcheck, include table'
	@echo 'make format        lay out C sources as .clang-format says'
	@echo 'make install       PREFIX=$(PREFIX) DESTDIR=$(DESTDIR)'
	@echo 'make install-service   a systemd timer that records the machine every hour, off at first: doc/packages.md'
	@echo 'make dist | deb | rpm   a tarball of the sources, a package of Debian, one of Fedora, in build/packages'
	@echo 'make static        build/static/xprof: one file that needs nothing installed where it runs'
	@echo 'make bench | demo | clean'

always:

.PHONY: all always bench bench-now bpf-skeletons check check-again check-all check-asan check-e2e check-long check-long-now check-meta \
	check-sanitized check-skips check-threads check-tsan check-ubsan check-unit check-valgrind clean demo demo-workload \
	docs format fuzz fuzz-run fuzzers help install lint replays require-libraries seeds setup setup-test static tests \
	deb dist install-service rpm
.DELETE_ON_ERROR:
.SECONDARY:
