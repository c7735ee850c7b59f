#!/usr/bin/env bash
# make dist, make deb and make rpm: their packages build, lint clean, install, run and are removed again, in a copy of this
# system that is thrown away; and the service for recurring recordings works with the capabilities that it asks for.
#
# PACKAGES=DIR: tries existing packages there instead of making them.
set -u
# shellcheck source=test/e2e/lib.sh
. "$(dirname "$0")/../e2e/lib.sh"
for tool in dpkg-buildpackage dh lintian rpmbuild rpmlint systemd-analyze setpriv strace; do
	command -v $tool >/dev/null || skip_all "$tool is not installed"
done
[ "$(id -u)" -eq 0 ] || skip_all "packages are installed as root"
packages=$tmp/build/packages
version=$(cat "$source_root/VERSION")

# A separate make, which puts everything that it makes here.
plain_make() { # ARGUMENT...
	env -u CFLAGS -u CPPFLAGS -u LDFLAGS -u WERROR -u MAKELEVEL -u MFLAGS MAKEFLAGS='' make -s -j2 BUILD="$tmp/build" "$@"
}

# --- the tarball ---------------------------------------------------------------------------------------------------
try_tarball() {
	local tree=$tmp/xprof-$version
	status_is 0 "make_dist" plain_make -C "$source_root" dist
	tar -xzf "$packages/xprof-$version.tar.gz" -C "$tmp"
	mkdir "$tmp/no_git"
	printf '#!/bin/sh\necho "git was called" >>"%s/git"\nexit 127\n' "$tmp" >"$tmp/no_git/git"
	chmod +x "$tmp/no_git/git"
	PATH=$tmp/no_git:$PATH status_is 0 "the_tarball_builds" plain_make -C "$tree" all BUILD=build
	is "$("$tree/build/xprof" version)" "$("$xprof" version)" "what_it_builds_runs"
	is "$(cat "$tmp/git" 2>/dev/null)" "" "without_git"
	# An unpacked tarball has no git that says which files belong to the sources.
	cp "$packages/xprof-$version.tar.gz" "$tmp/first.tar.gz"
	PATH=$tmp/no_git:$PATH status_is 0 "it_makes_a_tarball_itself" plain_make -C "$tree" dist
	is "$(tar -tzf "$packages/xprof-$version.tar.gz" | sort)" "$(tar -tzf "$tmp/first.tar.gz" | sort)" "of_the_same_files"
}

# --- packages ------------------------------------------------------------------------------------------------------
if [ -n "${PACKAGES-}" ]; then
	packages=$PACKAGES
else
	try_tarball
	status_is 0 "make_deb" plain_make -C "$source_root" deb
	status_is 0 "make_rpm" plain_make -C "$source_root" rpm
fi
is "$(lintian --fail-on error,warning "$packages"/*.changes 2>&1 | grep -v 'running with root privileges')" "" "lintian_finds_nothing"
# Everything that it prints between its header and its sum.
is "$(rpmlint -c "$source_root/packaging/rpmlint.toml" "$packages"/*.rpm 2>&1 | grep -E '^[^ ]+: [EWI]: ')" "" "rpmlint_finds_nothing"
ok "rpmlint_says_so" rpmlint -c "$source_root/packaging/rpmlint.toml" "$packages"/*.rpm
figure "deb $(stat -c %s "$packages"/*.deb), rpm $(stat -c %s "$packages"/*.rpm), tarball $(stat -c %s "$packages"/*.tar.gz) bytes"

# A copy of this system whose changes lie in memory and go with the mounts.
# shellcheck disable=SC2016 # expanded by the inner shell
start unshare --mount sh -c 'mount --make-rprivate / && mount -t tmpfs tmpfs "$1" && mkdir "$1/upper" "$1/work" "$1/system" &&
	mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/system" &&
	for folder in proc sys dev; do mount --rbind "/$folder" "$1/system/$folder" || exit; done
	mkdir -p "$1/system/packages" && cp "$2"/*.deb "$2"/*.rpm "$1/system/packages/" && touch "$1.mounted" &&
	exec sleep infinity' sh "$(mkdir "$tmp/mount" && echo "$tmp/mount")" "$packages"
inside=$pid
if ! wait_until 20 test -e "$tmp/mount.mounted"; then
	skip "an overlay of / cannot be mounted here" "packages_install_run_and_are_removed"
	done_testing
fi
system() {
	nsenter --mount="/proc/$inside/ns/mnt" chroot "$tmp/mount/system" env -u XPROF -u BUILD PATH=/usr/sbin:/usr/bin:/sbin:/bin \
		HOME=/root TMPDIR=/tmp LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}
in_shell() {
	system sh -c "$*"
}

# NAME: the program works as installed.
works() {
	is "$(system xprof version)" "$("$xprof" version)" "$1: it runs"
	# shellcheck disable=SC2016 # for that shell
	status_is 0 "$1: it records" system xprof record -q -g -o /tmp/x.data -- sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done'
	like "$(system xprof report -i /tmp/x.data --stdio --sort comm 2>/dev/null)" $'\n +[0-9.]+%.* sh' "$1: and reports"
	is "$(in_shell 'for command in "" $(xprof help --commands | sed s/^/-/); do man -w xprof$command >/dev/null || echo $command; done' 2>&1)" \
		"" "$1: every command has its manual page"
	is "$(in_shell 'for program in /usr/bin/xprof*; do man -w ${program##*/} >/dev/null || echo $program; done' 2>&1)" "" \
		"$1: so has every program"
	is "$(in_shell 'ls /usr/share/bash-completion/completions/xprof /usr/share/zsh/*/_xprof /usr/share/fish/*/xprof.fish |
		wc -l')" 3 "$1: three shells can complete its options"
	is "$(in_shell 'systemd-analyze verify --man=yes /usr/lib/systemd/system/xprof-record.* 2>&1 | grep xprof')" "" \
		"$1: systemd finds nothing wrong with the units"
	is "$(in_shell 'ls /etc/systemd/system/*.wants/ | grep xprof')" "" "$1: the timer is off until it is enabled"
}

# --- Debian's ------------------------------------------------------------------------------------------------------
status_is 0 "deb: it installs, and what it depends on is there" in_shell 'dpkg -i /packages/*.deb'
works deb
exposure=$(system systemd-analyze security --no-pager --offline=true --threshold=30 xprof-record.service 2>&1)
ok "the service is exposed little" test $? -eq 0
figure "$(grep -oE 'Overall exposure level.*: [0-9.]+ [A-Z]+' <<<"$exposure")"

# The service's command as systemd starts it: its user, its capabilities, its settings.
unit=$(system cat /usr/lib/systemd/system/xprof-record.service)
setting() {
	sed -n "s/^$1=//p" <<<"$unit"
}
capabilities=$(setting AmbientCapabilities | tr 'A-Z' 'a-z' | sed -E 's/cap_/+/g; s/ /,/g')
is "$(setting CapabilityBoundingSet)" "$(setting AmbientCapabilities)" "no capability is to be had but those that it has"
command=$(setting ExecStart)
settings=$(setting EnvironmentFile)
in_shell 'mkdir /var/lib/xprof && chown 64001:64001 /var/lib/xprof && chmod 750 /var/lib/xprof'
as_service() { # COMMAND...
	# shellcheck disable=SC2016 # expanded by the inner shell
	system setpriv --reuid=64001 --regid=64001 --clear-groups --no-new-privs "--inh-caps=-all,$capabilities" \
		"--ambient-caps=-all,$capabilities" "--bounding-set=-all,$capabilities" \
		sh -c 'set -a; . "$0"; STATE_DIRECTORY=/var/lib/xprof; '"${overrides-}"' set +a; exec "$@"' "${settings#-}" "$@"
}
recordings() {
	in_shell 'ls /var/lib/xprof'
}

overrides='DURATION=3s; KEEP=2; MIN_FREE_MB=1;'
in_shell 'echo left >/var/lib/xprof/perf-20000101T000000Z.data.part'
# shellcheck disable=SC2016 # for that shell
start sh -c 'while :; do :; done' # of another user
status_is 0 "it records without root" as_service "$command"
like "$(recordings)" '^perf-[0-9]{8}T[0-9]{6}Z\.data$' "one file, named by its time"
recorded=/var/lib/xprof/$(recordings | head -1)
like "$(system xprof report -i "$recorded" --stdio --no-children --sort comm,sym 2>&1)" $'\n +[0-9.]+% +sh ' \
	"other users' processes are in it"
like "$(system xprof script -i "$recorded" -F comm,ip,sym 2>/dev/null | grep -cE '^\s+ffff.* [a-z_]+')" '^[1-9]' \
	"the kernel's functions have names"
like "$(system xprof report -i "$recorded" --stdio 2>&1)" 'record -a -F 99 .*-g -z' "as the settings say"
sleep 1
as_service "$command" >/dev/null 2>&1
sleep 1
as_service "$command" >/dev/null 2>&1
is "$(recordings | wc -l)" 2 "of three it keeps the two that it may"
unlike "$(recordings)" "${recorded##*/}" "the oldest goes"

overrides='DURATION=60s; KEEP=5; MIN_FREE_MB=1;'
before=$(recordings)
start as_service "$command" >"$tmp/stopped.log" 2>&1
wait_until 30 in_shell 'ls /var/lib/xprof/*.part && pgrep -U 64001 -x xprof'
sleep 1
pkill -TERM -U 64001 -f "xprof-record|xprof record" # as systemctl stop does
wait "$pid"
is $? 0 "it can be stopped"
stopped=$(comm -13 <(echo "$before") <(recordings))
like "$stopped" '^perf-[0-9TZ]+\.data$' "what it has recorded by then is kept"
status_is 0 "as a whole file" system xprof report -i "/var/lib/xprof/$stopped" --stdio

overrides='MIN_FREE_MB=999999999;'
status_is 1 "it records nothing where there is no room" as_service "$command"
like "$output" "MB are free, less than MIN_FREE_MB=999999999: nothing recorded" "and says so"
overrides='KEEP=few;'
status_is 1 "it rejects settings that are no numbers" as_service "$command"
is "$output" "xprof-record: KEEP=few: a number is needed, see /etc/default/xprof-record" "by name"
overrides='OPTIONS=--no-such-option; MIN_FREE_MB=1;'
status_is 1 "it fails if xprof does" as_service "$command"
is "$(recordings | grep -c part)" 0 "and leaves nothing behind"

# Its system calls are among those that the unit allows.
overrides='DURATION=1s; KEEP=5; MIN_FREE_MB=1;'
allowed() { # FILTER...
	local name line
	for name in "$@"; do
		case $name in
		@*) mapfile -t line < <(systemd-analyze syscall-filter --no-pager "$name" | sed -nE 's/^ +([-@a-z0-9_]+)$/\1/p')
			allowed "${line[@]}" ;;
		*) echo "$name" ;;
		esac
	done
}
# shellcheck disable=SC2046 # several names
allowed $(setting SystemCallFilter) | sort -u >"$tmp/allowed"
in_shell 'mkdir -m 777 /trace'
# shellcheck disable=SC2046,SC2016
system strace -f -qq -o /trace/log setpriv --reuid=64001 --regid=64001 --clear-groups --no-new-privs "--inh-caps=-all,$capabilities" \
	"--ambient-caps=-all,$capabilities" "--bounding-set=-all,$capabilities" \
	sh -c 'set -a; . "$0"; STATE_DIRECTORY=/var/lib/xprof; '"$overrides"' exec "$@"' "${settings#-}" "$command" >/dev/null 2>&1
system cat /trace/log >"$tmp/trace"
sed -nE 's/^[0-9]+ +([a-z0-9_]+)\(.*/\1/p' "$tmp/trace" | sort -u >"$tmp/called"
ok "the recorder was traced" grep -qx perf_event_open "$tmp/called"
is "$(comm -23 "$tmp/called" "$tmp/allowed" | paste -sd' ')" "" "it calls nothing that the unit forbids"
# Without the socket that reports changes of CPUs, which the unit refuses, the recorder looks for them itself.
is "$(grep -E 'PROT_WRITE\|PROT_EXEC|socket\(AF_[^U]|CLONE_NEW| setns\(' "$tmp/trace" | grep -v NETLINK_KOBJECT_UEVENT)" "" \
	"no memory that is written and run, no network, no namespaces"

in_shell 'echo RATE=199 >>/etc/default/xprof-record'
status_is 0 "deb: it is installed again" in_shell 'dpkg --force-confold -i /packages/*.deb'
like "$(system tail -1 /etc/default/xprof-record)" '^RATE=199$' "deb: settings stay as they were changed"
status_is 0 "deb: it is removed" system dpkg --remove xprof
# Searches only the layer of changes, because others work in the layer below. A deleted file is a device in it.
is "$(nsenter --mount="/proc/$inside/ns/mnt" find "$tmp/mount/upper" ! -type c -printf '/%P\n' | grep xprof |
	grep -vE "^/(packages|tmp|root/.cache/xprof|var/lib/xprof|var/lib/dpkg|var/log|var/cache/man|etc/default/xprof-record|trace)" | head)" "" \
	"deb: nothing stays but settings and recordings"
status_is 0 "deb: it is purged" system dpkg --purge xprof
ok "deb: with its settings" in_shell '! [ -e /etc/default/xprof-record ]'

# --- Fedora's ------------------------------------------------------------------------------------------------------
# rpm knows of no package here, so it cannot find this one's dependencies.
status_is 0 "rpm: it installs" in_shell 'rpm -i --nodeps /packages/*.rpm'
works rpm
status_is 0 "rpm: every file is as it was packed" in_shell 'rpm -V --nodeps xprof'
status_is 0 "rpm: it is removed" system rpm -e xprof
is "$(in_shell 'ls -d /usr/bin/xprof /usr/libexec/xprof /usr/lib/systemd/system/xprof* /usr/share/*/xprof* /usr/share/man/man1/xprof* \
	/etc/default/xprof* 2>/dev/null')" "" "rpm: nothing stays"
done_testing
