/* Results of tests as TAP. */
'use strict';
let count = 0, failed = 0;

function report(fine, name, why) {
	count++;
	failed += fine ? 0 : 1;
	console.log((fine ? 'ok ' : 'not ok ') + count + ' - ' + name);
	if (!fine)
		console.log(String(why).replace(/^/gm, '# '));
}

/* { name: function that throws when it fails }, in order; they may be asynchronous. */
async function run(tests) {
	for (const [name, test] of Object.entries(tests)) {
		try {
			await test();
			report(true, name);
		} catch (error) {
			report(false, name, error.stack || error);
		}
	}
}

function skip(name, why) {
	count++;
	console.log('ok ' + count + ' - ' + name + ' # SKIP ' + why);
}

function done() {
	console.log('1..' + count);
	process.exitCode = failed ? 1 : 0;
}

module.exports = { run, skip, done };
