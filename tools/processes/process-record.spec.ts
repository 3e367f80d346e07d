import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { identify, isAlive, type ProcessIdentity } from './identity.ts';
import { ProcessRecord } from './process-record.ts';

let folder: string;
let file: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'process-record-'));
  file = path.join(folder, 'processes.json');
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a process that runs until it is ended. */
async function startProcess(script = 'setInterval(() => {}, 1000)'): Promise<{ child: ChildProcess; identity: ProcessIdentity }> {
  const child = spawn(process.execPath, ['-e', `${script}; console.log('up')`], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  children.push(child);
  if (!child.stdout || child.pid === undefined) throw new Error('no process');
  await once(child.stdout, 'data');
  return { child, identity: identify(child.pid) };
}

const write = (launcher: ProcessIdentity, recorded: Record<string, ProcessIdentity>) =>
  writeFileSync(file, JSON.stringify({ launcher, children: recorded }));

describe('ProcessRecord', () => {
  it('does not end another process that has a recorded process id', async () => {
    const { identity } = await startProcess();
    write({ pid: 1, startedAt: 'long ago' }, { worker: { pid: identity.pid, startedAt: 'another start' } });
    expect(await new ProcessRecord(file).endStale()).toEqual([]);
    expect(isAlive(identity)).toBe(true);
  });

  it('ends processes of a killed launcher and returns their names', async () => {
    const { child, identity } = await startProcess();
    write({ pid: identity.pid + 1, startedAt: 'earlier' }, { worker: identity });
    const exit = once(child, 'exit');
    expect(await new ProcessRecord(file).endStale()).toEqual(['worker']);
    await exit;
    expect(isAlive(identity)).toBe(false);
  });

  it('finds a running launcher, and none after it has ended', async () => {
    const { identity } = await startProcess();
    write(identity, {});
    expect(new ProcessRecord(file).findRunningLauncher()).toBe(identity.pid);
    write({ pid: identity.pid, startedAt: 'another start' }, {});
    expect(new ProcessRecord(file).findRunningLauncher()).toBeNull();
  });

  it('treats a file truncated by a power failure as empty', async () => {
    writeFileSync(file, '{"launcher": {"pi');
    expect(new ProcessRecord(file).findRunningLauncher()).toBeNull();
    expect(await new ProcessRecord(file).endStale()).toEqual([]);
  });

  it('records running processes', async () => {
    const { identity } = await startProcess();
    const record = new ProcessRecord(file);
    record.claim();
    record.add('worker', identity.pid);
    record.add('api', identity.pid);
    record.remove('api');
    const written = JSON.parse(readFileSync(file, 'utf8')) as unknown;
    expect(written).toEqual({ launcher: identify(process.pid), children: { worker: identity } });
  });
});
