#!/usr/bin/env bash
# Installs the missing packages that building, testing or benchmarking xprof needs, from the distribution (apt-get or dnf).
# First says which packages and why; does nothing if none is missing.
#
# usage: setup.sh [--for=build|package|test|long|bench] [--dry-run | --list=debian|fedora]
#   build   the program, the demo (the default)
#   package build, and what make static, make deb and make rpm need
#   test    build, and what the tests, the sanitizers and make lint need
#   long    package, test, and what only make check-long needs
#   bench   build, and what the benchmarks compare with
# --list prints the names of all packages, installed or not, and does nothing: for the packages of xprof itself.
set -eu

# The kinds of needs that can be checked on this machine:
#   cmd:NAME     a program in PATH
#   file:PATH    a file
#   pc:NAME      a library that pkg-config knows
#   header:PATH  a file in the compiler's include directories
#   lib:NAME     a library that the compiler links (sanitizer runtimes)
#
# stage | need | Debian | Fedora | why
needs() {
	cat <<'END'
build | cmd:gcc                      | gcc             | gcc                   | compiles xprof
build | header:stdlib.h              | libc6-dev       | glibc-devel           | the C library's headers
build | cmd:g++                      | g++             | gcc-c++               | compiles the C++ half of the demo workload
build | cmd:make                     | make            | make                  | builds
build | cmd:pkg-config               | pkg-config      | pkgconf-pkg-config    | finds the libraries
build | pc:libelf                    | libelf-dev      | elfutils-libelf-devel | reads ELF files
build | pc:libdw                     | libdw-dev       | elfutils-devel        | reads source lines and inlined functions
build | pc:libunwind-generic         | libunwind-dev   | libunwind-devel       | a second opinion on stacks
build | pc:zlib                      | zlib1g-dev      | zlib-devel            | reads compressed ELF sections, checks debug links
build | pc:libdeflate                | libdeflate-dev  | libdeflate-devel      | reads compressed ELF sections in half the time
build | pc:liblzma                   | liblzma-dev     | xz-devel              | reads .gnu_debugdata, Fedora's MiniDebugInfo
build | pc:libzstd                   | libzstd-dev     | libzstd-devel         | reads and writes compressed recordings
build | pc:libarchive              | libarchive-dev  | libarchive-devel      | packs recordings with all they need
build | pc:libtraceevent             | libtraceevent-dev | libtraceevent-devel | knows the fields of tracepoints
build | header:Zydis/Zydis.h         | libzydis-dev    | zydis-devel           | reads instructions where call frame information is missing
build | header:libiberty/demangle.h  | libiberty-dev   | binutils-devel        | demangles C++, Rust and D names
build | header:bpf/libbpf.h          | libbpf-dev      | libbpf-devel          | headers of the program that copies stacks in the kernel
build | cmd:clang                    | clang           | clang                 | compiles that program
build | cmd:bpftool                  | bpftool         | bpftool               | makes its loader
test  | pc:cmocka                    | libcmocka-dev   | libcmocka-devel       | runs the unit tests
test  | cmd:ld.lld                   | lld             | lld                   | links the 400 programs of the tests in half the time
test  | cmd:prove                    | perl            | perl-Test-Harness     | runs every test and counts
test  | cmd:perf                     | linux-perf      | perf                  | the second opinion of the end-to-end tests
test  | cmd:git                      | git             | git-core              | make lint looks at tracked files
test  | cmd:clang-format             | clang-format-14 | clang-tools-extra     | make lint: layout
test  | cmd:clang-tidy               | clang-tidy-14   | clang-tools-extra     | make lint: static analysis
test  | cmd:shellcheck               | shellcheck      | ShellCheck            | make lint: shell scripts
test  | cmd:mandoc                   | mandoc          | mandoc                | checks the manual pages
test  | cmd:valgrind                 | valgrind        | valgrind              | make check-valgrind
test  | cmd:xz                       | xz-utils        | xz                    | makes compressed fixtures
test  | cmd:ps                       | procps          | procps-ng             | the end-to-end tests watch processes
test  | cmd:musl-gcc                 | musl-tools      | musl-gcc              | programs with another C library for the unwinder
test  | file:/usr/lib32/crt1.o       | libc6-dev-i386  | glibc-devel.i686      | programs of 32 bits for the unwinder
test  | file:/usr/lib/gcc/x86_64-linux-gnu/12/32/libgcc.a | lib32gcc-12-dev | libgcc.i686 | their compiler's library
test  | cmd:node                     | nodejs          | nodejs                | runs the tests of the scripts in flame graphs
test  | cmd:npm                      | npm             | nodejs-npm            | installs what drives a browser, and a linter
test  | cmd:chromium                 | chromium        | chromium              | flame graphs in a browser
test  | cmd:eu-addr2line             | elfutils        | elfutils              | the second opinion on source lines
test  | cmd:llvm-symbolizer          | llvm            | llvm                  | the third one
test  | cmd:debuginfod               | debuginfod      | elfutils-debuginfod   | serves debug files, which the tests download
test  | cmd:python3                | python3         | python3               | serves debug files that are not what was asked for
test  | cmd:dwz                      | dwz             | dwz                   | makes programs whose debug information is shared
test  | cmd:zsh                      | zsh             | zsh                   | reads the completion made for it
test  | cmd:fish                     | fish            | fish                  | reads the completion made for it
test  | lib:asan                     | gcc             | libasan               | make check-asan
test  | lib:ubsan                    | gcc             | libubsan              | make check-asan, check-ubsan
test  | lib:tsan                     | gcc             | libtsan               | make check-tsan
package | header:lz4.h                | liblz4-dev      | lz4-devel             | xprof archive in the program of make static
package | cmd:dh                       | debhelper       |                       | make deb
package | cmd:dpkg-buildpackage        | dpkg-dev        |                       | make deb
package | cmd:rpmbuild                 | rpm             | rpm-build             | make rpm
long  | cmd:lintian                  | lintian         | lintian               | checks the package of make deb
long  | cmd:rpmlint                  | rpmlint         | rpmlint               | checks the package of make rpm
long  | cmd:systemd-analyze          | systemd         | systemd               | checks the service of recurring recordings
long  | cmd:setpriv                  | util-linux      | util-linux            | runs that service's command as it does
long  | cmd:strace                   | strace          | strace                | whether its system calls are those that the service allows
long  | cmd:hotspot                  | hotspot         | hotspot               | its parser reads our recordings (200 MB with what it needs)
long  | cmd:rustc                    | rustc           | rust                  | Rust programs for the unwinder
test  | cmd:go                       | golang-go       | golang                | its pprof reads exported profiles; Go programs for the unwinder
long  | cmd:fpc                      | fp-compiler     | fpc                   | Pascal programs for the unwinder
long  | cmd:javac                    | default-jdk-headless | java-latest-openjdk-devel | Java's run-time code for the unwinder
long  | cmd:php                      | php-cli         | php-cli               | PCRE2's run-time code for the unwinder
long  | cmd:qemu-aarch64             | qemu-user       | qemu-user             | runs programs of arm64 for the unwinder
long  | cmd:aarch64-linux-gnu-gcc    | gcc-aarch64-linux-gnu | gcc-aarch64-linux-gnu | compiles them
long  | cmd:aarch64-linux-gnu-g++    | g++-aarch64-linux-gnu | gcc-c++-aarch64-linux-gnu | compiles them
test  | cmd:create_llvm_prof         | autofdo         | autofdo               | reads profiles for compilers
long  | file:/usr/lib/llvm-16/bin/perf2bolt | bolt-16     | llvm-bolt             | reads profiles for BOLT
long  | cmd:llvm-profgen-16          | llvm-16         | llvm                  | reads profiles for LLVM
long  | cmd:gdb                      | gdb             | gdb                   | the second opinion on stacks that shares nothing with xprof
long  | cmd:protoc                   | protobuf-compiler | protobuf-compiler   | reads exported profiles by their schema
long  | file:/usr/share/gocode/src/github.com/google/pprof/proto/profile.proto | golang-github-google-pprof-dev | golang-github-google-pprof-devel | the schema of pprof
long  | cmd:bpftool                  | bpftool         | bpftool               | what a BPF program would look at in another kernel
long  | file:/usr/aarch64-linux-gnu/include/stdio.h | libc6-dev-arm64-cross | gcc-aarch64-linux-gnu | their C library
bench | cmd:chromium                 | chromium        | chromium              | flame graphs in a browser
bench | file:/usr/share/perl5/Devel/NYTProf/flamegraph.pl | libdevel-nytprof-perl | perl-Devel-NYTProf | flamegraph.pl, to compare with
bench | cmd:npm                      | npm             | nodejs-npm            | installs what drives a browser
bench | cmd:eu-addr2line             | elfutils        | elfutils              | source lines, to compare with
bench | cmd:perf                     | linux-perf      | perf                  | what xprof is compared with
END
}

# The programs that test/long/stock_programs.t records, by the names of Debian's packages.
stock_programs() {
	local name need package
	while IFS='|' read -r name need package _; do
		read -r name need package <<<"$name $need $package"
		case $name in '' | '#'*) continue ;; esac
		case $need in /*) need=file:$need ;; *) need=cmd:$need ;; esac
		echo "long | $need | $package | | recorded by stock_programs.t"
	done <"$(dirname "$0")/../test/long/stock_programs.list"
}

fail() {
	echo "setup: $*" >&2
	exit 1
}

stages="build"
dry_run=0
list=
for argument in "$@"; do
	case $argument in
	--for=build) stages="build" ;;
	--for=test) stages="build test" ;;
	--for=package) stages="build package" ;;
	--for=long) stages="build package test long" ;;
	--for=bench) stages="build bench" ;;
	--dry-run) dry_run=1 ;;
	--list=debian | --list=fedora) list=${argument#*=} ;;
	-h | --help)
		sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0"
		exit 0
		;;
	*) fail "unknown argument '$argument'; usage: setup.sh [--for=build|package|test|long|bench] [--dry-run]" ;;
	esac
done

if [ -n "$list" ]; then
	while IFS='|' read -r stage _ debian fedora _; do
		read -r stage debian fedora <<<"$stage $debian $fedora"
		[[ " $stages " == *" $stage "* ]] || continue
		if [ "$list" = debian ]; then echo "$debian"; else echo "$fedora"; fi
	done <<<"$(needs)" | awk 'NF && !seen[$0]++'
	exit 0
fi

is_there() {
	local kind=${1%%:*} name=${1#*:} file
	case $kind in
	file) [ -e "$name" ] ;;
	cmd) PATH=$PATH:/usr/sbin command -v "$name" >/dev/null || { [[ $name == clang-* ]] && command -v "$name-14" >/dev/null; } ||
		{ [ "$name" = chromium ] && command -v chromium-browser >/dev/null; } ;;
	pc) command -v pkg-config >/dev/null && pkg-config --exists "$name" ;;
	header) compgen -G "/usr/include/$name" >/dev/null || compgen -G "/usr/include/*-linux-gnu*/$name" >/dev/null ;;
	lib)
		# gcc prints the bare name of a file that it cannot find.
		command -v gcc >/dev/null && file=$(gcc -print-file-name="lib$name.so") && [ "$file" != "lib$name.so" ]
		;;
	esac
}

if command -v apt-get >/dev/null; then
	manager=apt-get
elif command -v dnf >/dev/null; then
	manager=dnf
else
	manager=
fi

packages=()
reasons=()
while IFS='|' read -r stage need debian fedora why; do
	read -r stage need debian fedora <<<"$stage $need $debian $fedora"
	[[ " $stages " == *" $stage "* ]] || continue
	is_there "$need" && continue
	if [ "$manager" = dnf ]; then package=$fedora; else package=$debian; fi
	[ -n "$package" ] || continue
	reasons+=("$(printf '%-22s %s' "$package" "${why# }")")
	[[ " ${packages[*]-} " == *" $package "* ]] || packages+=("$package")
done <<<"$(needs; stock_programs)"

# Installs the tests' npm packages, exactly as test/web/package-lock.json says, into build/npm. Without them (no network, say)
# the tests in a browser and the linter of scripts say that they are skipped.
install_npm_modules() {
	local here=build/npm
	[[ " $stages " == *" test "* || " $stages " == *" bench "* ]] || return 0
	if cmp -s test/web/package-lock.json $here/package-lock.json && [ -d $here/node_modules ]; then
		return 0
	fi
	echo "setup: npm ci, into $here: drives a browser, judges accessibility, lints scripts, reads exported profiles"
	[ $dry_run -eq 0 ] || return 0
	rm -rf $here && mkdir -p $here && cp test/web/package.json test/web/package-lock.json $here/
	if ! (cd $here && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error); then
		rm -rf $here
		echo "setup: npm could not install them: what needs them will be skipped" >&2
	fi
}
cd "$(dirname "$0")/.."

if [ ${#packages[@]} -eq 0 ]; then
	install_npm_modules
	exit 0
fi

echo "setup: missing on this machine:"
printf '  %s\n' "${reasons[@]}"
[ -n "$manager" ] || fail "neither apt-get nor dnf is here: install the above with this system's package manager"

as_root=()
if [ "$(id -u)" -ne 0 ]; then
	command -v sudo >/dev/null ||
		fail "not root, and there is no sudo. As root: $manager install ${packages[*]}"
	as_root=(sudo)
	echo "setup: installing needs root; sudo may ask for your password"
fi

run() {
	echo "setup: ${as_root[*]-}${as_root:+ }$*"
	[ $dry_run -eq 1 ] || "${as_root[@]}" "$@"
}

if [ $manager = apt-get ]; then
	run apt-get update -q
	run env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${packages[@]}"
else
	run dnf install -y "${packages[@]}"
fi
install_npm_modules
