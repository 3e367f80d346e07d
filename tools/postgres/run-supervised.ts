/**
 * node tools/postgres/run-supervised.ts: starts an empty PostgreSQL that is restarted when it exits, prints {"url","dataDir"}, and stops when its
 * input ends. Tests that restart their server use it.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { testDataFolder } from '../test-data.ts';
import { supervisePostgres } from './supervise-postgres.ts';

const folder = mkdtempSync(path.join(testDataFolder(os.tmpdir()), 'tributary-supervised-'));
// As root, the server runs as another user, which must be able to read the folder.
chmodSync(folder, 0o755);
const dataDir = path.join(folder, 'data');
const settings = { fsync: 'off', max_connections: '100' };
const server = await supervisePostgres({ dataDir, databases: ['test'], settings }, (message) => console.error(message));
console.log(JSON.stringify({ url: server.url('test'), dataDir }));
process.stdin.resume().on('end', () => {
  void server.stop().then(() => {
    rmSync(folder, { recursive: true, force: true });
    process.exit(0);
  });
});
