/**
 * `make backup` and `make restore`: node tools/backup/main.ts backup|restore [--data <folder>] [--backup <folder>]. A backup is made
 * while the instance runs.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { inRepository } from '../repository.ts';
import { backUpInstance, restoreInstance } from './instance-backup.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { data: { type: 'string', default: inRepository('.data') }, backup: { type: 'string' } },
});
const [command] = positionals;
const time = new Date().toISOString().replaceAll(/[:.]/g, '-');

try {
  if (command === 'backup') {
    const target = path.resolve(values.backup || inRepository('.backups', time));
    await backUpInstance(values.data, target);
    console.log(`Backed up to ${target}. It contains the instance's secrets. Restore it with: make restore backup=${target}`);
  } else if (command === 'restore' && values.backup) {
    restoreInstance(path.resolve(values.backup), values.data);
    console.log(`Restored ${values.backup}. Start it with make start.`);
  } else {
    throw new Error('Enter a backup: make restore backup=<folder>');
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
