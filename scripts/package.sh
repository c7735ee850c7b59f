#!/usr/bin/env bash
# Makes a tarball of the sources, and packages of Debian and of Fedora from that, all in BUILD/packages.
#
# usage: package.sh dist|deb|rpm BUILD
#
# The tarball has all files that git tracks or, if it is made in an unpacked tarball, everything except built files. Building it
# needs no git. Names of the packages that a build needs come from scripts/setup.sh. The packages' files are in packaging/.
set -eu
what=$1 build=$2
cd "$(dirname "$0")/.."
version=$(cat VERSION)
name=xprof-$version
mkdir -p "$build/packages"
packages=$(cd "$build/packages" && pwd)
maintainer='xprof contributors <xprof@users.noreply.xprof.dev>'
# All times are the time of the last change, so that equal sources give equal packages.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y VERSION)}
export SOURCE_DATE_EPOCH

die() {
	echo "package.sh: $*" >&2
	exit 1
}

# Null-terminated.
source_files() {
	if [ -e .git ]; then
		git ls-files -z --cached --others --exclude-standard | while IFS= read -rd '' file; do
			[ ! -f "$file" ] || printf '%s\0' "$file"
		done
	else
		find . -path ./build -prune -o \( -type f -o -type l \) -printf '%P\0'
	fi
}

make_tarball() {
	source_files | sort -z | tar --create --null --files-from=- --transform="s|^|$name/|" --mtime="@$SOURCE_DATE_EPOCH" \
		--owner=0 --group=0 --numeric-owner --mode='u+rw,go=u-w' --format=gnu | gzip -9n >"$packages/$name.tar.gz.new"
	mv "$packages/$name.tar.gz.new" "$packages/$name.tar.gz"
}

# debian|fedora: the packages that a build needs, one a line.
needs() {
	scripts/setup.sh --for=build --list="$1"
}

# PREFIX of an item: for both formats of changelogs.
changes() {
	echo "$1 Version $version: see CHANGELOG.md for what has changed."
}

# IN: prints the text, with @NAME@ replaced by the value of the variable NAME for each name.
fill_in() {
	local text name
	text=$(cat "$1")
	shift
	for name in "$@"; do
		text=${text//"@$name@"/"${!name}"}
	done
	printf '%s\n' "$text"
}

# The license text as Debian's copyright file has it: indented, with a dot for an empty line.
license_text() {
	sed '1,/^Permission is hereby/{/^Permission is hereby/!d}; s/^$/./; s/^/ /' LICENSE
}

make_deb() {
	command -v dh >/dev/null && command -v dpkg-buildpackage >/dev/null ||
		die "debhelper is missing: scripts/setup.sh --for=package"
	local tree=$build/packages/deb/$name
	# shellcheck disable=SC2034 # by fill_in
	local MAINTAINER=$maintainer BUILD_DEPENDS LICENSE
	rm -rf "$build/packages/deb" && mkdir -p "$build/packages/deb"
	tar -xzf "$packages/$name.tar.gz" -C "$build/packages/deb"
	# shellcheck disable=SC2034 # by fill_in
	BUILD_DEPENDS=$(needs debian | paste -sd, | sed 's/,/, /g') LICENSE=$(license_text)
	cp -R "$tree/packaging/debian" "$tree/debian"
	fill_in packaging/debian/control.in MAINTAINER BUILD_DEPENDS >"$tree/debian/control"
	fill_in packaging/debian/copyright.in LICENSE >"$tree/debian/copyright"
	rm "$tree"/debian/*.in
	printf 'xprof (%s) unstable; urgency=medium\n\n%s\n\n -- %s  %s\n' "$version" "$(changes '  *')" "$maintainer" \
		"$(LC_ALL=C date -uR -d "@$SOURCE_DATE_EPOCH")" >"$tree/debian/changelog"
	# The flags of this make's caller are not for the package.
	(cd "$tree" && env -u CFLAGS -u CPPFLAGS -u LDFLAGS -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u BUILD -u WERROR \
		dpkg-buildpackage -b -us -uc "-j$(nproc)") >"$packages/deb.log" 2>&1 ||
		{ tail -20 "$packages/deb.log" >&2; die "dpkg-buildpackage failed, $packages/deb.log"; }
	mv "$build"/packages/deb/*.{deb,changes,buildinfo} "$packages/"
}

make_rpm() {
	command -v rpmbuild >/dev/null || die "rpmbuild is missing: scripts/setup.sh --for=package"
	local top=$packages/rpm
	# shellcheck disable=SC2034 # by fill_in
	local VERSION=$version MAINTAINER=$maintainer BUILD_REQUIRES CHANGELOG
	rm -rf "$top" && mkdir -p "$top"/{SOURCES,SPECS}
	cp "$packages/$name.tar.gz" "$top/SOURCES/"
	# shellcheck disable=SC2034 # by fill_in
	BUILD_REQUIRES=$(needs fedora | sed 's/^/BuildRequires:  /')
	# shellcheck disable=SC2034 # by fill_in
	CHANGELOG="* $(LC_ALL=C date -u -d "@$SOURCE_DATE_EPOCH" '+%a %b %d %Y') $maintainer - $version-1"$'\n'$(changes '-')
	fill_in packaging/xprof.spec.in VERSION MAINTAINER BUILD_REQUIRES CHANGELOG >"$top/SPECS/xprof.spec"
	# On systems whose packages are Debian's, rpm knows of no installed package.
	local nodeps=()
	command -v dnf >/dev/null || nodeps=(--nodeps)
	env -u CFLAGS -u CPPFLAGS -u LDFLAGS -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u BUILD -u WERROR \
		rpmbuild -bb ${nodeps[@]+"${nodeps[@]}"} --define "_topdir $top" --define '_build_id_links none' \
		--define "use_source_date_epoch_as_buildtime 1" "$top/SPECS/xprof.spec" >"$packages/rpm.log" 2>&1 ||
		{ tail -20 "$packages/rpm.log" >&2; die "rpmbuild failed, $packages/rpm.log"; }
	mv "$top"/RPMS/*/*.rpm "$packages/"
}

make_tarball
case $what in
dist) ls -l "$packages/$name.tar.gz" ;;
deb) make_deb && ls -l "$packages"/*.deb ;;
rpm) make_rpm && ls -l "$packages"/*.rpm ;;
*) die "usage: package.sh dist|deb|rpm BUILD" ;;
esac
