import { setTimeout as wait } from 'node:timers/promises';
import {
  type DatabaseLoad,
  loadBetween,
  readCounters,
  readSessions,
  readTopStatements,
  resetStatements,
  type Statement,
} from './database-load.ts';
import { selectDue, setDueTimes, stopStarting } from './due-times.ts';
import { type ProcessLoad, ProcessWatch } from './process-load.ts';
import { type Progress, readProgress } from './progress.ts';
import type { Scene } from './scene.ts';
import { settings, tickMs, windowMs } from './settings.ts';

const LINE_MS = 5_000;
/** How often slots and connections are counted. */
const SAMPLE_MS = 1_000;
/** Runs that have started end within this time after the last one may start. */
const END_MS = 120_000;

interface Sample {
  running: number;
  openConnections: number;
}

export interface Measured {
  windowSeconds: number;
  /** From the end of the window to the end of the last run. */
  drainSeconds: number;
  atEndOfWindow: Progress;
  atEnd: Progress;
  database: DatabaseLoad;
  warehouse: DatabaseLoad;
  /** Null: the server does not have pg_stat_statements. */
  statements: Statement[] | null;
  processes: ProcessLoad[];
  busySeconds: number;
  samples: Sample[];
}

/** The compressed day and the drain, with one line of progress every few seconds. */
export async function runWindow(scene: Scene, workers: number[]): Promise<Measured> {
  const { database, warehouseDatabase } = scene;
  const hasStatements = await resetStatements(database);
  const readAll = () => Promise.all([readCounters(database), readCounters(warehouseDatabase)]);
  const before = await readAll();
  const watch = new ProcessWatch(scene, workers);
  const monitor = new Monitor(scene, watch);
  const ticks = setInterval(() => void selectDue(database).catch(() => undefined), tickMs);
  try {
    await setDueTimes(database);
    await monitor.watchUntil(windowMs, () => false);
    const [atEndOfWindow, after] = [await readProgress(database), await readAll()];
    const windowSeconds = monitor.seconds();
    const measured = {
      windowSeconds,
      atEndOfWindow,
      database: loadBetween(before[0], after[0], windowSeconds),
      warehouse: loadBetween(before[1], after[1], windowSeconds),
      statements: hasStatements ? await readTopStatements(database) : null,
      processes: watch.read(),
      busySeconds: watch.busySeconds(),
      samples: [...monitor.samples],
    };
    const isDone = ({ due, ended }: Progress) => due === settings.connections && ended === due;
    await monitor.watchUntil(windowMs + settings.drainMinutes * 60_000, isDone);
    if (!isDone(await readProgress(database))) await endStarted(scene, monitor);
    return { ...measured, drainSeconds: monitor.seconds() - windowSeconds, atEnd: await readProgress(database) };
  } finally {
    clearInterval(ticks);
  }
}

/** The backlog remains; runs that have started end. */
async function endStarted({ database }: Scene, monitor: Monitor): Promise<void> {
  await stopStarting(database);
  await monitor.watchUntil(monitor.seconds() * 1_000 + END_MS, ({ started, ended }) => started === ended);
}

class Monitor {
  readonly samples: Sample[] = [];
  private readonly startedAt = performance.now();
  private lastLine = { at: 0, commits: 0 };
  private readonly scene: Scene;
  private readonly watch: ProcessWatch;

  constructor(scene: Scene, watch: ProcessWatch) {
    this.scene = scene;
    this.watch = watch;
  }

  seconds(): number {
    return (performance.now() - this.startedAt) / 1_000;
  }

  /** @param endMs since the start of the window */
  async watchUntil(endMs: number, isDone: (progress: Progress) => boolean): Promise<void> {
    for (;;) {
      const leftMs = endMs - this.seconds() * 1_000;
      if (leftMs <= 0) return;
      await wait(Math.min(leftMs, SAMPLE_MS));
      const progress = await readProgress(this.scene.database);
      const { open, active } = await readSessions(this.scene.database);
      this.samples.push({ running: progress.started - progress.ended, openConnections: open });
      const isEnded = isDone(progress);
      if (isEnded || performance.now() - this.lastLine.at >= LINE_MS) await this.print(progress, active);
      if (isEnded) return;
    }
  }

  private async print(progress: Progress, active: number): Promise<void> {
    const [{ commits }, at] = [await readCounters(this.scene.database), performance.now()];
    const perSecond = this.lastLine.at > 0 ? ((commits - this.lastLine.commits) / (at - this.lastLine.at)) * 1_000 : null;
    this.lastLine = { at, commits };
    await this.watch.readMemory();
    const { due, started, ended, failed, backlog, oldestDueSeconds } = progress;
    console.log(
      `${this.seconds().toFixed(0).padStart(5)} s  due ${due}  started ${started}  ended ${ended}  failed ${failed}  backlog ${backlog}`,
      ` oldest due ${oldestDueSeconds.toFixed(1)} s  ${perSecond === null ? '–' : perSecond.toFixed(0)} commits/s  ${active} active sessions`,
    );
  }
}
