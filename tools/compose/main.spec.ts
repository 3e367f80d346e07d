import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findFreePort } from '../ports.ts';
import { inRepository } from '../repository.ts';

/** Testcontainers looks for sockets of an engine on other platforms, so the tests pass with and without Docker. */
const WITHOUT_SOCKETS = 'data:text/javascript,Object.defineProperty(process,"platform",{value:"aix"})';
const LINE = 'Docker is not available: the Compose test was not run.\n';
let home: string;
beforeEach(() => {
  // Testcontainers reads its settings from the home folder.
  home = mkdtempSync(path.join(os.tmpdir(), 'home-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

async function run(environment: Record<string, string>) {
  const env = { PATH: process.env.PATH, HOME: home, DOCKER_HOST: `tcp://127.0.0.1:${await findFreePort()}`, ...environment };
  const parameters = ['--import', WITHOUT_SOCKETS, 'tools/compose/main.ts'];
  const { status, stdout, stderr } = spawnSync(process.execPath, parameters, { cwd: inRepository(), encoding: 'utf8', env });
  return { status, stdout, stderr };
}

describe('make test-compose without Docker', () => {
  it('says in one line that the test was not run', async () => {
    expect(await run({})).toEqual({ status: 0, stdout: LINE, stderr: '' });
    expect(await run({ CI: 'false' })).toEqual({ status: 0, stdout: LINE, stderr: '' });
  });

  it('fails in a workflow', async () => {
    expect(await run({ CI: 'true' })).toEqual({ status: 1, stdout: LINE, stderr: '' });
  });
});
