/* What a search finds, in every picture. */
'use strict';
const FlameSearch = (function () {
	/* Text is found wherever it stands, in either case; /expression/ and /expression/i as JavaScript understands them. */
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
