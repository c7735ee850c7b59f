#!/usr/bin/env bash
# Inlined functions and lines are the same as eu-addr2line's, at random addresses of programs of GCC, clang and rustc, with
# debug information of DWARF 4 and 5, split, packaged, moved together by dwz, compressed, and as separate files.
# SOURCE_ADDRESSES is the number of addresses of each.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/../e2e/lib.sh"
for tool in eu-addr2line addr2line llvm-symbolizer readelf g++; do
	command -v $tool >/dev/null || skip_all "$tool is not installed"
done
[ -x "$build/test/tools/source_of" ] || skip_all "test/tools/source_of was not built"
# shellcheck source=test/lib/source_lines.sh
. "$(dirname "$0")/../lib/source_lines.sh"
count=${SOURCE_ADDRESSES:-100}

# WITH NAME COMMAND...: builds it and compares; skipped if the compiler cannot do that. WITH: "all" if eu-addr2line has
# everything it needs, "some" if not.
compare() {
	local with=$1
	shift
	if build_program "$@"; then
		source_is_equal "$1" "$count" "$with"
	else
		skip "cannot build it here: $(tail -1 "$tmp/$1.log")" "${1}_has_the_source_that_others_find"
	fi
}

compare all gcc_4 g++ -O2 -gdwarf-4 -o program ../many.cc ../other.cc
compare all gcc_5 g++ -O2 -gdwarf-5 -o program ../many.cc ../other.cc
compare some gcc_lto g++ -O2 -g -flto -o program ../many.cc ../other.cc
compare all gcc_zlib g++ -O2 -g -gz=zlib -o program ../many.cc ../other.cc
compare all gcc_sections g++ -O2 -g -ffunction-sections -Wl,--gc-sections -o program ../many.cc ../other.cc
compare all clang_4 clang++ -O2 -gdwarf-4 -gdwarf-aranges -o program ../many.cc ../other.cc
compare all clang_5 clang++ -O2 -gdwarf-5 -gdwarf-aranges -o program ../many.cc ../other.cc
compare some clang_2 clang++ -O2 -gdwarf-2 -o program ../many.cc ../other.cc
compare some rust rustc -C opt-level=2 -g -o program ../many.rs

# If functions are in other files, eu-addr2line knows no inlined ones.
compare some gcc_split_4 g++ -O2 -gdwarf-4 -gsplit-dwarf -o program ../many.cc ../other.cc
compare some gcc_split_5 g++ -O2 -gdwarf-5 -gsplit-dwarf -o program ../many.cc ../other.cc
compare some clang_split_5 clang++ -O2 -gdwarf-5 -gsplit-dwarf -fno-split-dwarf-inlining -o program ../many.cc ../other.cc

# NAME PACKER: the same program, its .dwo files packed into one and gone
compare_package() {
	if build_program "$1" g++ -O2 "-gdwarf-$3" -gsplit-dwarf -o program ../many.cc ../other.cc &&
		(cd "$tmp/$1" && "$2" -e program -o program.dwp) >"$tmp/$1.log" 2>&1 && [ -s "$tmp/$1/program.dwp" ]; then
		random_addresses "$count" "$tmp/$1/program" >"$tmp/$1.addresses"
		"$source_of" "$tmp/$1/program" <"$tmp/$1.addresses" >"$tmp/$1.dwo" 2>/dev/null
		rm "$tmp/$1"/*.dwo
		"$source_of" "$tmp/$1/program" <"$tmp/$1.addresses" >"$tmp/$1.dwp" 2>/dev/null
		is "$(diff "$tmp/$1.dwo" "$tmp/$1.dwp" | head -6)" "" "${1}_says_the_same_as_its_dwo_files"
	else
		skip "cannot build it here: $(tail -1 "$tmp/$1.log")" "${1}_says_the_same_as_its_dwo_files"
	fi
}
compare_package package_4 dwp 4
compare_package package_5 llvm-dwp 5

# dwz: within one file, and the common parts of two files in a third.
# shellcheck disable=SC2016 # for the inner shell
compare all dwz_single sh -c 'g++ -O2 -gdwarf-4 -o program ../many.cc ../other.cc && dwz program'
# shellcheck disable=SC2016
compare all dwz_multi sh -c 'g++ -O2 -gdwarf-4 -o program ../many.cc ../other.cc && cp program second &&
	g++ -O2 -gdwarf-4 -o third ../many.cc ../other.cc -DX && dwz -m common.debug program second third'
# shellcheck disable=SC2016
compare all separate sh -c 'g++ -O2 -g -o program ../many.cc ../other.cc && objcopy --only-keep-debug program program.debug &&
	objcopy --strip-debug --add-gnu-debuglink=program.debug program'

done_testing
