import type { TenantDoor } from '../../core/database/tenant.js';
import type { Destination, Exchange, SentRowLedger } from '../../connectors/kit/contract.js';
import type { LearnedWindows, OpenSource } from '../../sources/index.js';
import type { LoadedTargets } from '../ledger/loaded-targets.js';
import type { Lease, RunLedger } from '../ledger/run-ledger.js';
import type { RunLog } from '../ledger/run-log.js';
import type { ProgressReporter } from './run-progress.js';
import type { RunConnection, SyncQueries } from '../ledger/sync.queries.js';

/** What one worker's go at a run works with. */
export interface RunParts {
  tenants: TenantDoor;
  lease: Lease;
  connection: RunConnection;
  source: OpenSource;
  destination: Destination;
  progress: ProgressReporter;
  ledger: RunLedger;
  queries: SyncQueries;
  log: RunLog;
  sentRows: SentRowLedger;
  targets: LoadedTargets;
  windows: LearnedWindows;
  /** Days by account, as the platform said within a day. */
  knownWindows: Map<string, number>;
  exchange: Exchange | null;
  signal: AbortSignal;
  /** Asked before each slice: whether what moves data is no longer paid for. */
  isLapsed: () => Promise<boolean>;
}
