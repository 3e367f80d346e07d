import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inRepository, repositoryFolder } from '../repository.ts';

/**
 * Copies what Git knows and does not ignore to a temporary folder, so that the .env and the secrets of an installation are neither used nor
 * changed.
 */
export function copyRepository(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tributary-compose-'));
  const parameters = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const listed = execFileSync('git', parameters, { cwd: repositoryFolder, encoding: 'utf8', maxBuffer: 64_000_000 });
  for (const file of listed.split('\0').filter((name) => name !== '' && existsSync(inRepository(name))))
    cpSync(inRepository(file), path.join(folder, file));
  return folder;
}
