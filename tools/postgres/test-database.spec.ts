import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inRepository } from '../repository.ts';
import { chooseTestDatabase } from './test-database.ts';

/** Testcontainers supports no engine on this platform, so the tests pass with and without Docker. */
const WITHOUT_DOCKER = 'data:text/javascript,Object.defineProperty(process,"platform",{value:"aix"})';
let home: string;
beforeEach(() => {
  // Testcontainers reads its settings from the home folder.
  home = mkdtempSync(path.join(os.tmpdir(), 'home-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function run(parameters: string[], environment: Record<string, string>) {
  const env = { PATH: process.env.PATH, HOME: home, ...environment };
  return spawnSync(process.execPath, parameters, { cwd: inRepository(), encoding: 'utf8', env });
}

describe('the test database', () => {
  it('is the given server, also with TEST_DATABASE=docker', () => {
    const url = 'postgresql://postgres@127.0.0.1/test';
    expect(chooseTestDatabase({ TEST_DATABASE_URL: url })).toEqual({ kind: 'given', url });
    expect(chooseTestDatabase({ TEST_DATABASE_URL: url, TEST_DATABASE: 'docker' })).toEqual({ kind: 'given', url });
  });

  it('is in Docker only on request, otherwise embedded', () => {
    expect(chooseTestDatabase({ TEST_DATABASE: 'docker' })).toEqual({ kind: 'docker' });
    expect(chooseTestDatabase({ TEST_DATABASE_URL: '', TEST_DATABASE: 'docker' })).toEqual({ kind: 'docker' });
    expect(chooseTestDatabase({})).toEqual({ kind: 'embedded' });
    expect(chooseTestDatabase({ TEST_DATABASE: 'embedded' })).toEqual({ kind: 'embedded' });
  });

  it('ends a command with one line that says what to do if Docker is not available', () => {
    const command = ['tools/test-with-database.ts', '--', process.execPath, '-e', 'console.log("ran")'];
    const { status, stdout, stderr } = run(['--import', WITHOUT_DOCKER, ...command], { TEST_DATABASE: 'docker' });
    expect(stderr).toBe(
      'TEST_DATABASE=docker, but Docker is not available. Start Docker, or unset TEST_DATABASE to use the PostgreSQL from npm\n',
    );
    expect(stdout).toBe('');
    expect(status).toBe(1);
  });

  it('loads Testcontainers only for Docker', () => {
    const script = `
      import { createRequire } from 'node:module';
      import { startTestDatabase } from './tools/postgres/test-database.ts';
      await startTestDatabase().catch(() => undefined);
      console.log(Object.keys(createRequire(import.meta.url).cache).some((file) => file.includes('testcontainers')));`;
    const loads = (environment: Record<string, string>) =>
      run(['--import', WITHOUT_DOCKER, '--input-type=module', '-e', script], environment).stdout.trim();
    expect(loads({ TEST_DATABASE_URL: 'postgresql://postgres@127.0.0.1/test' })).toBe('false');
    expect(loads({ TEST_DATABASE: 'docker' })).toBe('true');
  });
});
