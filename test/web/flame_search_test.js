/* What a search finds. */
'use strict';
const assert = require('assert');
const search = require('../../src/report/flame/web/flame_search.js');

module.exports = {
	text_is_found_in_either_case_and_is_no_expression() {
		assert.ok(search.matcher('VEC<int')('std::vec<int>'));
		assert.ok(!search.matcher('a.c')('abc'));
	},
	expressions_stand_between_slashes() {
		assert.ok(search.matcher('/^a.c$/')('abc'));
		assert.ok(!search.matcher('/^a.c$/')('ABC'));
		assert.ok(search.matcher('/^a.c$/i')('ABC'));
		assert.throws(() => search.matcher('/(/'), SyntaxError);
	},
};
