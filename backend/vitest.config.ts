import { readFileSync } from 'node:fs';
import { transform, type Options } from '@swc/core';
import { defineConfig, type Plugin } from 'vitest/config';

const options = JSON.parse(readFileSync(new URL('.swcrc', import.meta.url), 'utf8')) as Options;

/** Compiles as the build does, with the decorator metadata that Nest needs. */
const swc: Plugin = {
  name: 'swc',
  enforce: 'pre',
  async transform(code, filename) {
    if (!filename.endsWith('.ts')) return null;
    const result = await transform(code, { ...options, filename, swcrc: false, configFile: false });
    return { code: result.code, map: result.map ?? null };
  },
};

export default defineConfig({
  plugins: [swc],
  oxc: false,
  test: {
    include: ['src/**/*.spec.ts', 'test/**/*.spec.ts'],
    globalSetup: ['test/global-setup.ts'],
    // A test waits for conditions, however long they take on a busy machine. These limits only end what hangs. The longest test takes
    // 80 seconds on two busy processors; with the full counts, three minutes.
    testTimeout: process.env['FULL_COUNTS'] === '1' ? 900_000 : 300_000,
    hookTimeout: 300_000,
    pool: 'forks',
    // Files of one process share the loaded modules: loading the product takes 2.5 s of processor time.
    isolate: false,
    // Files mostly wait, for PostgreSQL and the sandbox: two processors are in use only when three files run at once.
    maxWorkers: 3,
  },
});
