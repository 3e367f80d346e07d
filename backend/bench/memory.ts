/**
 * A worker's part of loading DAYS days, repeated until ROWS rows were loaded. Uses SOURCE_URL, TOKEN and LOGIN (JSON); prints
 * {"rows","peakMegabytes"}.
 */
import { Engine, type Login } from './engine.js';

const wantedRows = Number(process.env['ROWS']);
const login = JSON.parse(process.env['LOGIN'] ?? '') as Login;
const engine = new Engine(process.env['SOURCE_URL'] ?? '', process.env['TOKEN'] ?? '', login);
let peakBytes = 0;
const watch = setInterval(() => (peakBytes = Math.max(peakBytes, process.memoryUsage.rss())), 20);
const slices = await engine.planSlices(Number(process.env['DAYS']));
let rows = 0;
while (rows < wantedRows) rows += await engine.load(slices);
clearInterval(watch);
await engine.destination.close();
console.log(JSON.stringify({ rows, peakMegabytes: peakBytes / 2 ** 20 }));
