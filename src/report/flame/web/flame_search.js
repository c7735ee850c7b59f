/* The rules of a search, the same in every picture. */
'use strict';
const FlameSearch = (function () {
	/* Text matches anywhere, in upper or lower case; /expression/ and /expression/i as in JavaScript. */
	function matcher(query) {
		const parts = /^\/(.+)\/(i?)$/.exec(query);
		if (parts) {
			const expression = new RegExp(parts[1], parts[2]);
			return (name) => expression.test(name);
		}
		const lower = query.toLowerCase();
		return (name) => name.toLowerCase().includes(lower);
	}

	return { matcher };
})();
if (typeof module !== 'undefined')
	module.exports = FlameSearch;
