/* node page_functions.js PAGE REPORT: are self and total of each function those of xprof report --json -s dso,sym? */
'use strict';
const fs = require('fs');
const model = require('../../src/report/flame/web/flame_model.js');

const page = fs.readFileSync(process.argv[2], 'utf8');
const data = JSON.parse(/<script type="application\/json" id="data">([^<]*)<\/script>/.exec(page)[1]);
const report = JSON.parse(fs.readFileSync(process.argv[3], 'utf8'));
const tree = model.decode(data.nodes, data.scale);
const inlined = data.frames.map((frame) => data.kinds[frame[2] >> 2] === 'inlined');
const sums = model.functions(tree, null, Int32Array.from(data.frames, (_, i) => i), inlined);
const key = (dso, name) => dso + '\n' + name;
const frames = new Map();
data.frames.forEach((frame, number) => {
	const at = key(data.dsos[frame[1]], frame[0]);
	frames.set(at, frames.has(at) ? -1 : number);
});
/* Functions of one name in one file are one frame here and as many rows there. */
const rows = new Map();
for (const row of report.events[0].rows)
	if (row.symbol !== undefined)
		rows.set(key(row.dso, row.symbol), rows.has(key(row.dso, row.symbol)) ? null : row);
let compared = 0, wrong = 0;
for (const [at, row] of rows) {
	const frame = frames.get(at);
	if (!row || frame < 0)
		continue;
	compared++;
	if (frame === undefined || sums.self[frame] !== row.self.period || sums.total[frame] !== row.children.period ||
		sums.samples[frame] !== row.children.samples) {
		wrong++;
		console.log(at.replace('\n', ' '), JSON.stringify(row), frame, sums.self[frame], sums.total[frame]);
	}
}
console.log(wrong ? wrong + ' wrong' : compared > 5 ? 'equal' : 'nothing to compare');
