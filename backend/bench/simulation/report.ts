import { printTable } from '../figures.ts';
import type { DatabaseLoad } from './database-load.ts';
import type { Result } from './result.ts';

const MEGABYTE = 2 ** 20;

export function printReport(result: Result): void {
  const { settings, machine, atEndOfWindow, atEnd, windowSeconds, drainSeconds, api } = result;
  console.log(
    `\n${settings.connections} connections of ${settings.organizations} organizations, ${settings.workers} workers, ${settings.apis} API processes;`,
    settings.isWarm ? 'runs after the first one;' : 'first runs;',
    `a day in ${seconds(windowSeconds)} (factor ${Math.round(settings.factor)}), ${machine.cores} cores`,
  );
  console.log(`${atEnd.ended} runs ended, ${atEnd.failed} of them failed: ${result.runsPerSecond.toFixed(1)} runs/s`);
  console.log(
    `backlog at the end of the window: ${atEndOfWindow.backlog}`,
    `(oldest due for ${seconds(atEndOfWindow.oldestDueSeconds)});`,
    atEnd.backlog > 0 ? `${atEnd.backlog} remain after ${seconds(drainSeconds)}` : `drained after ${seconds(drainSeconds)}`,
  );
  console.log(
    `API: ${api.requests} lists of connections, ${api.failures.length} failed, p50 ${api.p50Ms.toFixed(0)} ms, p99 ${api.p99Ms.toFixed(0)} ms`,
  );
  printDelays(result);
  printDatabase(result);
  printProcesses(result);
  console.log(`\n${result.firstLimit}`);
}

function printDelays({ delays, classes, worst }: Result): void {
  console.log('\nStart delay, from due to started');
  printTable(
    ['', 'organizations', 'connections', 'p50', 'p95', 'max', 'longest run'],
    [
      ['all runs', '', '', ...[delays.p50, delays.p95, delays.max].map(seconds), seconds(delays.max)],
      ...classes.map(({ size, organizations, connections, p50, p95, max, longest }) => [
        `${size} organizations, medians`,
        String(organizations),
        String(connections),
        ...[p50, p95, max, longest].map((value) => (organizations > 0 ? seconds(value) : '–')),
      ]),
    ],
  );
  console.log('\nOrganizations with the longest delays');
  printTable(
    ['organization', 'connections', 'median', 'longest run'],
    worst.map(({ organizationId, connections, median, longest }) => [
      organizationId,
      String(connections),
      seconds(median),
      seconds(longest),
    ]),
  );
}

function printDatabase({ database, warehouse, statements, usage }: Result): void {
  console.log('\nDatabase load in the window');
  const row = (name: string, value: (load: DatabaseLoad) => string) => [name, value(database), value(warehouse)];
  const perSecond = (name: string, counter: keyof DatabaseLoad) =>
    row(name, (load) => (load[counter] / load.seconds).toFixed(1)); // prettier-ignore
  printTable(
    ['', 'product', 'destination'],
    [
      perSecond('commits/s', 'commits'),
      perSecond('rollbacks/s', 'rollbacks'),
      perSecond('rows returned/s', 'rowsReturned'),
      perSecond('rows fetched/s', 'rowsFetched'),
      perSecond('rows inserted/s', 'rowsInserted'),
      perSecond('rows updated/s', 'rowsUpdated'),
      perSecond('rows deleted/s', 'rowsDeleted'),
      row('average active sessions', ({ averageActiveSessions }) => averageActiveSessions.toFixed(2)),
      row('cache hit ratio', ({ cacheHitRatio }) => `${(cacheHitRatio * 100).toFixed(2)} %`),
      row('WAL', ({ walBytes }) => `${(walBytes / MEGABYTE).toFixed(1)} MB`),
      ['connections, at most', `${usage.connections.most} of ${usage.connections.allowed}`, ''],
    ],
  );
  if (!statements) {
    console.log('\nStatements by time: not available, because the server has no pg_stat_statements');
    return;
  }
  console.log("\nStatements of the product's database by time");
  printTable(
    ['total', 'calls', 'mean', ''],
    statements.map(({ text, calls, totalMs }) => [
      seconds(totalMs / 1_000),
      String(calls),
      `${(totalMs / calls).toFixed(2)} ms`,
      text,
    ]),
  );
}

function printProcesses({ processes, windowSeconds, usage }: Result): void {
  console.log('\nProcesses in the window');
  const cores = (cpuSeconds: number) => (cpuSeconds / windowSeconds).toFixed(2);
  printTable(
    ['', 'CPU', 'cores', 'memory, at most'],
    [
      ...processes.map(({ name, cpuSeconds, peakMegabytes }) => [
        name,
        seconds(cpuSeconds),
        cores(cpuSeconds),
        `${peakMegabytes.toFixed(0)} MB`,
      ]),
      ['all programs of the machine', seconds(usage.busyCores * windowSeconds), usage.busyCores.toFixed(2), ''],
    ],
  );
  console.log(`slots of the workers in use, on average: ${usage.slots.busy.toFixed(1)} of ${usage.slots.total}`);
}

const seconds = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} s`;
