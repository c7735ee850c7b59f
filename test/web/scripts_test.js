/* The scripts of pages as far as they are arithmetic and words: node scripts_test.js speaks TAP. */
'use strict';
const tap = require('./tap.js');

(async () => {
	for (const part of ['flame_model', 'flame_samples', 'flame_spans', 'flame_command', 'flame_search', 'flame_names', 'flame_scale', 'flame_heat', 'flame_lanes'])
		await tap.run(require('./' + part + '_test.js'));
	tap.done();
})();
