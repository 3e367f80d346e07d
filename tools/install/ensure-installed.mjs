/**
 * Runs npm only if node_modules differs from package-lock.json. Compares contents, because file dates change with a clone or a
 * branch switch. Plain JavaScript, because it runs under the oldest Node that may run `make`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isTooOld, oldestNode } from './oldest-node.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * @param {string} file
 * @returns {Record<string, { version?: string, link?: boolean, optional?: boolean, devOptional?: boolean, peer?: boolean }>}
 */
const packagesOf = (file) => JSON.parse(readFileSync(`${root}/${file}`, 'utf8')).packages;

function isComplete() {
  const wanted = packagesOf('package-lock.json');
  const installed = packagesOf('node_modules/.package-lock.json');
  return Object.entries(wanted).every(([place, { version, link, optional, devOptional, peer }]) => {
    if (!place.startsWith('node_modules/') && !place.includes('/node_modules/')) return true;
    // Optional packages are absent on other platforms. A peer dependency may be installed in another folder.
    const mayBeAbsent = optional || devOptional || peer || link;
    return installed[place] ? installed[place].version === version : mayBeAbsent;
  });
}

/**
 * @param {string} why
 * @param {string[]} parameters
 */
function runNpm(why, parameters) {
  console.log(`${why}: npm ${parameters.join(' ')} (one to five minutes, depending on the network)`);
  const { status } = spawnSync('npm', parameters, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) process.exit(status ?? 1);
}

if (isTooOld(process.versions.node, process.platform)) {
  console.error(`Node ${process.version} is too old. Install Node ${oldestNode(process.platform)} or newer.`);
  process.exit(1);
}
if (!existsSync(`${root}/node_modules/.package-lock.json`)) runNpm('Installing packages', ['ci', '--loglevel=error']);
else if (!isComplete()) runNpm('Updating packages', ['install', '--no-save', '--loglevel=error']);
