import os from 'node:os';
import { processCpuMs, serverCpuMs, serverMegabytes } from '../process-cost.ts';
import { residentMegabytes } from '../processes.ts';
import type { Scene } from './scene.ts';

/** Names of parts, as in the report and in the sentence about the first limit. */
export const PARTS = {
  worker: 'workers',
  api: 'API processes',
  database: "sessions of the product's database",
  warehouse: 'sessions of the destination',
  sandbox: 'simulated platforms',
  simulation: 'requests of the simulation',
};
export type Part = keyof typeof PARTS;

export interface ProcessLoad {
  part: Part;
  name: string;
  cpuSeconds: number;
  peakMegabytes: number;
}

interface Watched {
  part: Part;
  name: string;
  cpuMs: () => number;
  megabytes: () => Promise<number>;
  cpuAtStartMs: number;
  peakMegabytes: number;
}

/** Processor time and memory of the processes of the scene. Linux only. */
export class ProcessWatch {
  private readonly watched: Watched[];
  private readonly busyAtStartMs = busyMs();

  constructor({ apis, sandboxPid, server, warehouse }: Scene, workers: number[]) {
    this.watched = [
      ...workers.map((pid, index) => watch('worker', `worker ${index + 1}`, pid)),
      ...apis.map(({ pid }, index) => watch('api', `API ${index + 1}`, pid)),
      watch('database', 'PostgreSQL of the product', server.pid),
      watch('warehouse', 'PostgreSQL of the destination', warehouse.pid),
      watch('sandbox', 'sandbox', sandboxPid),
      watch('simulation', 'simulation', process.pid),
    ];
  }

  async readMemory(): Promise<void> {
    for (const one of this.watched) one.peakMegabytes = Math.max(one.peakMegabytes, await one.megabytes());
  }

  read(): ProcessLoad[] {
    return this.watched.map(({ part, name, cpuMs, cpuAtStartMs, peakMegabytes }) => ({
      part,
      name,
      cpuSeconds: (cpuMs() - cpuAtStartMs) / 1_000,
      peakMegabytes,
    }));
  }

  /** Processor time of all programs of the machine. */
  busySeconds(): number {
    return (busyMs() - this.busyAtStartMs) / 1_000;
  }
}

function watch(part: Part, name: string, pid: number): Watched {
  const isServer = part === 'database' || part === 'warehouse';
  const cpuMs = () => (isServer ? serverCpuMs(pid) : processCpuMs(pid));
  const megabytes = () => (isServer ? Promise.resolve(serverMegabytes(pid)) : residentMegabytes(pid));
  return { part, name, cpuMs, megabytes, cpuAtStartMs: cpuMs(), peakMegabytes: 0 };
}

const busyMs = (): number => os.cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0);
