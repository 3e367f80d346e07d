import os from 'node:os';
import type { ApiLoad } from './api-load.ts';
import { type Delays, delaysOfOrganizations, type OrganizationDelay, quantile, summarize, worstOf } from './delays.ts';
import { describeFirstLimit, type Usage } from './first-limit.ts';
import { PARTS } from './process-load.ts';
import { MAX_CONNECTIONS } from './scene.ts';
import { factor, settings, tickMs } from './settings.ts';
import { SIZE_CLASSES, type SizeClass, sizeClassOf } from './sizes.ts';
import type { Measured } from './window.ts';

/** Delays of the organizations of a size: of their medians, and the longest of a run. */
interface ClassDelays extends Delays {
  size: SizeClass;
  organizations: number;
  connections: number;
  longest: number;
}

export interface Result extends Measured {
  settings: typeof settings & { factor: number; tickMs: number };
  machine: { cores: number; model: string | undefined; node: string };
  runsPerSecond: number;
  delays: Delays;
  classes: ClassDelays[];
  worst: OrganizationDelay[];
  api: { requests: number; failures: string[]; p50Ms: number; p99Ms: number };
  usage: Usage;
  firstLimit: string;
}

export function resultOf(
  measured: Measured,
  started: { organizationId: string; delay: number }[],
  sizes: ReadonlyMap<string, number>,
  { latenciesMs, failures }: ApiLoad,
): Result {
  const usage = usageOf(measured);
  const organizations = delaysOfOrganizations(started, sizes);
  return {
    settings: { ...settings, factor, tickMs },
    machine: { cores: usage.cores, model: os.cpus()[0]?.model, node: process.version },
    ...measured,
    runsPerSecond: measured.atEnd.ended / (measured.windowSeconds + measured.drainSeconds),
    delays: summarize(started.map(({ delay }) => delay)),
    classes: SIZE_CLASSES.map((size) => classDelays(size, organizations, sizes)),
    worst: worstOf(organizations),
    api: { requests: latenciesMs.length, failures, p50Ms: quantile(latenciesMs, 0.5), p99Ms: quantile(latenciesMs, 0.99) },
    usage,
    firstLimit: describeFirstLimit(usage, measured.atEndOfWindow.backlog),
  };
}

function classDelays(size: SizeClass, organizations: OrganizationDelay[], sizes: ReadonlyMap<string, number>): ClassDelays {
  const mean = settings.connections / settings.organizations;
  const members = organizations.filter(({ connections }) => sizeClassOf(connections, mean) === size);
  const all = [...sizes.values()].filter((connections) => sizeClassOf(connections, mean) === size);
  return {
    size,
    organizations: all.length,
    connections: all.reduce((sum, connections) => sum + connections, 0),
    ...summarize(members.map(({ median }) => median)),
    longest: Math.max(0, ...members.map(({ longest }) => longest)),
  };
}

function usageOf({ processes, busySeconds, windowSeconds, samples }: Measured): Usage {
  const secondsOf: Record<string, number> = {};
  for (const { part, cpuSeconds } of processes) secondsOf[PARTS[part]] = (secondsOf[PARTS[part]] ?? 0) + cpuSeconds;
  const own = Object.values(secondsOf).reduce((sum, seconds) => sum + seconds, 0);
  secondsOf['other programs'] = Math.max(0, busySeconds - own);
  const coresOf = Object.fromEntries(Object.entries(secondsOf).map(([name, seconds]) => [name, seconds / windowSeconds]));
  const workers = processes.filter(({ part }) => part === 'worker').map(({ cpuSeconds }) => cpuSeconds / windowSeconds);
  return {
    cores: os.availableParallelism(),
    busyCores: busySeconds / windowSeconds,
    coresOf,
    busiestWorker: Math.max(...workers),
    connections: { most: Math.max(...samples.map(({ openConnections }) => openConnections)), allowed: MAX_CONNECTIONS },
    slots: {
      busy: samples.reduce((sum, { running }) => sum + running, 0) / samples.length,
      total: settings.workers * settings.slotsOfWorker,
    },
  };
}
