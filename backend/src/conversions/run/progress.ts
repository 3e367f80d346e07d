import type { ConversionOutcome } from '../../connectors/kit/conversion-target.js';
import type { RecordPage } from '../../connectors/kit/conversion-source.js';

/** Counts of a run. */
export interface RunCounts {
  recordsRead: number;
  bytesRead: number;
  eventsNew: number;
  eventsSent: number;
  eventsAccepted: number;
  eventsRejected: number;
}

const REPORT_INTERVAL_MS = 1_000;

/** Counts what a run does, and reports the counts at most once a second. */
export class ConversionProgress {
  private reportedAtMs = 0;

  /** @param counts what the run counted before it waited */
  constructor(
    private readonly report: (counts: RunCounts) => Promise<void>,
    readonly counts: RunCounts,
  ) {}

  async read({ records, bytes }: RecordPage, eventsNew: number): Promise<void> {
    this.counts.recordsRead += records.length;
    this.counts.bytesRead += bytes;
    this.counts.eventsNew += eventsNew;
    await this.reportIfDue();
  }

  async sent(outcomes: ConversionOutcome[]): Promise<void> {
    for (const { state } of outcomes) {
      if (state !== 'not_sent') this.counts.eventsSent += 1;
      if (state === 'accepted' || state === 'pending') this.counts.eventsAccepted += 1;
      if (state === 'rejected') this.counts.eventsRejected += 1;
    }
    await this.reportIfDue();
  }

  private async reportIfDue(): Promise<void> {
    if (Date.now() - this.reportedAtMs < REPORT_INTERVAL_MS) return;
    this.reportedAtMs = Date.now();
    await this.report(this.counts);
  }
}
