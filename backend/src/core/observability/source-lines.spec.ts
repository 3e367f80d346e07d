import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';

const backend = path.resolve(import.meta.dirname, '..', '..', '..');

/** In a process of its own, with the built product. The setting is only read after the product's files are loaded. */
function runBuilt(code: string): string {
  const result = spawnSync(process.execPath, ['--input-type=module', '--eval', code], { cwd: backend, encoding: 'utf8' });
  return `${result.stdout}${result.stderr}`;
}

it('names the file and line of the source in the stack trace of an error', () => {
  const output = runBuilt(`
    const { showSourceLines } = await import('./dist/src/core/observability/source-lines.js');
    const { readEnv } = await import('./dist/src/core/config/env.js');
    showSourceLines();
    try { readEnv({}, []); } catch (error) { console.log(error.stack); }
  `);
  expect(output).toMatch(/^\S*Error: /);
  expect(output).toMatch(new RegExp(`at readEnv \\(${path.join(backend, 'src/core/config')}/\\S+\\.ts:\\d+:\\d+\\)`));
  expect(output).not.toContain('dist/src/core/config');
});

it('keeps the lines of a file without a source map, and the message of any thrown error', () => {
  const output = runBuilt(`
    const { showSourceLines } = await import('./dist/src/core/observability/source-lines.js');
    showSourceLines();
    console.log(Object.assign(new TypeError('a\\nb'), { code: 'E' }).stack);
    console.log(new Error().stack);
  `);
  expect(output).toMatch(/^TypeError: a\nb\n {4}at /);
  expect(output).toMatch(/\nError\n {4}at /);
});
