/* Long names in little room. */
'use strict';
const assert = require('assert');
const { shorten } = require('../../src/report/flame/web/flame_names.js');

const is = assert.strictEqual;

module.exports = {
	a_name_that_fits_is_whole() {
		is(shorten('main', 4), 'main');
		is(shorten('std::vector<int>::push_back', 27), 'std::vector<int>::push_back');
	},
	template_arguments_go_first_the_innermost_before_those_around_them() {
		const name = 'std::map<std::string, std::vector<std::pair<int, long>>>::operator[]';
		is(shorten(name, 60), 'std::map<std::string, std::vector<std::pair<…>>>::operator[]');
		is(shorten(name, 50), 'std::map<std::string, std::vector<…>>::operator[]');
		is(shorten(name, 30), 'std::map<…>::operator[]');
	},
	then_namespaces_go_from_the_left() {
		const name = 'std::__detail::_Hashtable<int, std::pair<int, int>>::_M_find_before_node';
		is(shorten(name, 46), '…::_Hashtable<…>::_M_find_before_node');
		is(shorten(name, 24), '…::_M_find_before_node');
	},
	the_method_is_never_lost() {
		is(shorten('std::vector<std::pair<int, int>>::push_back', 9), 'push_back');
		is(shorten('std::vector<std::pair<int, int>>::push_back', 7), 'push_b…');
		is(shorten('std::sort<__gnu_cxx::__normal_iterator<int*, std::vector<int>>>', 9), 'sort');
	},
	arguments_of_calls_and_anonymous_namespaces_are_folded_too() {
		is(shorten('(anonymous namespace)::Parser::parse(std::string const&, int)', 30), '(…)::Parser::parse(…)');
	},
	operators_have_no_brackets() {
		is(shorten('std::operator<< <std::char_traits<char> >', 21), 'std::operator<< <…>');
		is(shorten('my::Pointer<some::long::Type>::operator->', 26), 'my::Pointer<…>::operator->');
		is(shorten('my::Number<some::long::Type>::operator<=>', 20), '…::operator<=>');
		is(shorten('cooperator<int>::x', 15), '…::x');
	},
	rust_names_keep_the_method() {
		is(shorten('<alloc::vec::Vec<T> as core::iter::Iterator>::next', 20), '<…>::next');
		is(shorten('core::ptr::drop_in_place::<alloc::vec::Vec<(u64, alloc::string::String)>>', 40), 'core::ptr::drop_in_place::<…>');
		is(shorten('core::slice::sort::driftsort_main::<alloc::string::String>', 14), 'driftsort_main');
		is(shorten('r::work::{closure#0}', 19), 'r::work::{…}');
		is(shorten('r::some::work::{closure#0}', 14), '…::work::{…}');
		is(shorten('core::slice::sort::merge_sort::h0123456789abcdef', 34), '…::merge_sort::h0123456789abcdef');
	},
	lambdas_keep_the_function_that_they_are_in() {
		is(shorten('game::World::update(int)::{lambda(auto:1&, auto:2&)#1}::operator()', 40),
			'game::World::update(…)::{…}::operator()');
		is(shorten('game::World::update(int)::{lambda(auto:1&, auto:2&)#1}::operator()', 32), '…::update(…)::{…}::operator()');
	},
	paths_of_packages_go_from_the_left() {
		is(shorten('github.com/someone/project/internal/parser.(*Parser).Next', 30), '…/parser.(…).Next');
	},
	a_plain_name_loses_its_end() {
		is(shorten('[libsomething.so.1]', 10), '[libsomet…');
		is(shorten('__memcmp_avx2_movbe', 10), '__memcmp_…');
	},
	brackets_that_do_not_match_are_left_alone() {
		is(shorten('broken<<a::b', 6), 'broke…');
	},
	characters_beyond_the_first_plane_are_whole() {
		is(shorten('😀😀😀😀😀😀', 4), '😀😀😀…');
	},
	a_deep_template_is_short_at_once() {
		const deep = 'std::vector<'.repeat(850) + 'int' + '>'.repeat(850);
		is(shorten(deep, 20), 'std::vector<…>');
	},
};
