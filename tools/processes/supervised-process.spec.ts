import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { identify, isAlive } from './identity.ts';
import { ProcessRecord } from './process-record.ts';
import { SupervisedProcess } from './supervised-process.ts';

let folder: string;
let processes: SupervisedProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'supervised-'));
});
afterEach(async () => {
  processes.forEach((child) => child.kill());
  await Promise.all(processes.map((child) => child.stop()));
  processes = [];
  rmSync(folder, { recursive: true, force: true });
});

function supervise(script: string, onStart: (pid: number) => void = () => {}): SupervisedProcess {
  const record = new ProcessRecord(path.join(folder, 'processes.json'));
  const plan = { name: 'child', command: process.execPath, parameters: ['-e', script], workingFolder: folder, environment: {} };
  const child = new SupervisedProcess({ ...plan, logFile: path.join(folder, 'child.log'), stopGraceMs: 500, onStart }, record);
  processes.push(child);
  child.start();
  return child;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(20);
}
const log = () => readFileSync(path.join(folder, 'child.log'), 'utf8');

describe('SupervisedProcess', () => {
  it('restarts a killed process and reports its new process id', async () => {
    const pids: number[] = [];
    supervise('setInterval(() => {}, 1000)', (pid) => pids.push(pid));
    process.kill(pids[0]!, 'SIGKILL');
    await until(() => pids.length === 2);
    expect(isAlive(identify(pids[1]!))).toBe(true);
  });

  it('does not restart a stopped process', async () => {
    const pids: number[] = [];
    const child = supervise('setInterval(() => {}, 1000)', (pid) => pids.push(pid));
    await child.stop();
    await sleep(1000);
    expect(pids).toHaveLength(1);
    expect(isAlive(identify(pids[0]!))).toBe(false);
  });

  it('kills a process that ignores SIGTERM', async () => {
    const child = supervise("process.on('SIGTERM', () => console.log('no')); setInterval(() => {}, 1000); console.log('up')");
    await until(() => log().includes('up'));
    const identity = identify(child.pid!);
    await child.stop();
    await until(() => !isAlive(identity));
    expect(log()).toContain('no');
  });

  it('also ends processes that the process has started', async () => {
    const grandchild = "require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])";
    const child = supervise(`console.log('pid ' + ${grandchild}.pid); setInterval(() => {}, 1000)`);
    await until(() => /pid \d+/.test(log()));
    const identity = identify(Number(/pid (\d+)/.exec(log())?.[1]));
    expect(isAlive(identity)).toBe(true);
    await child.stop();
    await until(() => !isAlive(identity));
  });
});
