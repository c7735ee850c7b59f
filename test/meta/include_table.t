#!/usr/bin/env bash
# The rooms of src/ include each other only downwards, and the checker of this rule detects violations.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=test/lib/tap.sh
. "$root/test/lib/tap.sh"

# A small tree with one room of each kind; tests plant a violation in it.
plant() {
	rm -rf "$tree"
	mkdir -p "$tree/src/base" "$tree/src/elf"
	mkdir -p "$tree/src/report/table"
	touch "$tree"/src/{base,elf,report,report/table}/README.md
	touch "$tree"/src/{base/error,elf/elf_file,report/table/table_row}.h
	printf '#include <stdio.h>\n#include "base/error.h"\n' >"$tree/src/elf/elf_file.c"
	printf '#include "base/error.h"\n' >"$tree/src/main.c"
}
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
check() {
	"$root/scripts/include_table.sh" "$tree" 2>&1
}

plant
is "$(check)" "" "a_tree_that_includes_downwards_passes"

plant
printf '\n\n#include "elf/elf_file.h"\n' >"$tree/src/base/error.c"
is "$(check | head -n 1)" 'src/base/error.c:3: base/ may not include "elf/elf_file.h" (only: nothing)' \
	"an_upward_include_is_named_with_file_and_line"

plant
printf '#include "error.h"\n' >"$tree/src/base/error.c"
is "$(check)" 'src/base/error.c:1: "error.h" is not written from src/ on (room/file.h)' \
	"an_include_without_its_room_is_named"

plant
printf '#include "base/no.h"\n' >"$tree/src/base/error.c"
is "$(check)" 'src/base/error.c:1: "base/no.h" does not exist under src/' "an_include_of_nothing_is_named"

plant
printf '#include "elf/elf_file.h"\n' >"$tree/src/main.c"
is "$(check)" 'src/main.c:1: main.c/ may not include "elf/elf_file.h" (only: base cli)' \
	"main_includes_commands_only"

plant
printf '#include "build_options.h"\n' >"$tree/src/elf/elf_file.c"
like "$(check)" 'elf/ may not include build_options.h' "only_the_command_line_knows_how_xprof_was_built"

plant
mkdir "$tree/src/util"
touch "$tree/src/util/README.md"
printf '#include "base/error.h"\n' >"$tree/src/util/util.c"
like "$(check)" 'src/util/util.c: util/ is not in the table' "a_room_that_nobody_agreed_on_is_named"

plant
seq 9000 | sed 's/.*/int line_&;/' >"$tree/src/elf/large.c"
like "$(check)" 'src/elf/: 9002 lines, and a room has at most 9000' "a_room_that_is_too_large_is_named"

plant
mkdir "$tree/scripts"
sed 's/\[base\]=""/[base]="elf"/' "$root/scripts/include_table.sh" >"$tree/scripts/include_table.sh"
like "$(bash "$tree/scripts/include_table.sh" "$tree" 2>&1)" 'rooms include each other in a circle: .*base' \
	"rooms_in_a_circle_are_named"

plant
rm "$tree/src/elf/README.md"
is "$(check)" "src/elf/README.md: missing" "a_room_without_a_readme_is_named"

plant
mkdir -p "$tree/src/report/table" "$tree/src/report/diff"
touch "$tree"/src/report/{table,diff}/README.md "$tree/src/report/table/view_table.h"
printf '#include "report/table/view_table.h"\n' >"$tree/src/report/diff/cmd_diff.c"
like "$(check)" 'src/report/diff/cmd_diff.c:1: report/diff/ may not include "report/table/view_table.h"' \
	"one_command_does_not_include_another"

plant
printf '#include "base/error.h"\n' >"$tree/src/report/loader.c"
like "$(check)" 'src/report/loader.c: report/ is not in the table' "a_wing_holds_rooms_and_no_files"

plant
printf '#include "elf/elf_file.h"\nvoid archive_close(void);\n' >"$tree/src/elf/elf_map.h"
printf 'int cpu_count(void);\nstatic inline int one(void)\n{\n}\n' >"$tree/src/report/table/table_row.h"
printf '#include "base/error.h"\n\n/* cpu_count() */\nint f(void)\n{\n\treturn cpu_count() + one();\n}\n' >"$tree/src/elf/elf_file.c"
is "$(check)" "src/elf/elf_file.c: elf/ may not call cpu_count() of report/table/table_row.h (only: base)
src/elf/elf_file.c: elf/ may not call one() of report/table/table_row.h (only: base)" \
	"a_call_that_comes_through_another_header_is_named"

plant
printf 'int cpu_count(void);\n' >"$tree/src/report/table/table_row.h"
printf 'static int cpu_count(void)\n{\n\treturn error("cpu_count()");\n}\nint f(void)\n{\n\treturn cpu_count();\n}\n' \
	>"$tree/src/elf/elf_file.c"
is "$(check)" "" "a_function_of_the_same_name_in_the_file_itself_is_no_call_of_the_other"

plant
printf '#include "elf/elf_file.h"\n' >"$tree/src/elf/elf_map.h"
printf '#include "elf/elf_map.h"\n' >"$tree/src/elf/elf_file.c"
is "$(check)" "src/: these include each other in a circle: elf/elf_file elf/elf_map" "a_circle_is_named"

plant
printf '#include "elf/elf_file.h"\n' >"$tree/src/elf/elf_file_state.h"
printf '#include "elf/elf_file_state.h"\n' >"$tree/src/elf/elf_file.c"
is "$(check)" "" "a_noun_and_what_it_is_made_of_are_no_circle"

is "$("$root/scripts/include_table.sh")" "" "src_includes_downwards"

done_testing
