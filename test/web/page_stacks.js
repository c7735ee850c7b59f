/* node page_stacks.js PAGE: the stacks of a page of xprof flamegraph as folded text. */
'use strict';
const fs = require('fs');
const model = require('../../src/report/flame/web/flame_model.js');

const page = fs.readFileSync(process.argv[2], 'utf8');
const data = JSON.parse(/<script type="application\/json" id="data">([^<]*)<\/script>/.exec(page)[1]);
const tree = model.decode(data.nodes, data.scale);
const sums = new Map();
for (let i = 1; i < tree.count; i++) {
	if (!tree.self[i])
		continue;
	const names = model.path(tree, i).map((frame) => data.frames[frame][0].replace(/;/g, ':'));
	names[0] = names[0].replace(/ /g, '_');
	const line = names.join(';');
	sums.set(line, (sums.get(line) || 0) + tree.self[i]);
}
for (const [line, sum] of sums)
	console.log(line + ' ' + sum);
