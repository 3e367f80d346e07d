import { IsIn } from 'class-validator';
import { ConnectionEntry } from '../connections/index.js';
import { RunSummary } from '../sync/index.js';

export const DEMO_FAULTS = ['expire_token', 'throttle', 'restate', 'drop_rows'] as const;
export type DemoFaultName = (typeof DEMO_FAULTS)[number];

/** What a visitor of the demo sees: one connection and its last runs. */
export class DemoTour {
  connection: ConnectionEntry;
  /** The last 5, newest first. */
  runs: RunSummary[];
  /** Whether the warehouse loses rows until the repair. */
  isLosingRows: boolean;
}

export class DemoFaultBody {
  /**
   * - `expire_token`: Google rejects the access token that the product has.
   * - `throttle`: Google rejects two requests with 429.
   * - `restate`: Google changes the numbers of recent days.
   * - `drop_rows`: Google changes the numbers of recent days, and the warehouse loses every 10th changed row, until the repair.
   */
  @IsIn(DEMO_FAULTS)
  name: DemoFaultName;
}
