/* node page_command.js PAGE: the command that a page of xprof flamegraph offers before anything is chosen. */
'use strict';
const fs = require('fs');
const command = require('../../src/report/flame/web/flame_command.js');

const page = fs.readFileSync(process.argv[2], 'utf8');
const data = JSON.parse(/<script type="application\/json" id="data">([^<]*)<\/script>/.exec(page)[1]);
console.log(command.line(data.command, {}));
