import type { TenantDatabase } from '../../core/database/tenant-database.js';
import type { Destination, Exchange, Deliveries } from '../../connectors/kit/contract.js';
import type { AccountLookbacks, OpenSource } from '../../sources/index.js';
import type { StreamTargets } from '../ledger/stream-targets.js';
import type { Lease, RunLedger } from '../ledger/run-ledger.js';
import type { RunLog } from '../ledger/run-log.js';
import type { ProgressReporter } from './run-progress.js';
import type { RunConnection, SyncQueries } from '../ledger/sync.queries.js';

/** Dependencies of one worker's attempt at a run. */
export interface RunParts {
  tenants: TenantDatabase;
  lease: Lease;
  connection: RunConnection;
  source: OpenSource;
  destination: Destination;
  progress: ProgressReporter;
  ledger: RunLedger;
  queries: SyncQueries;
  log: RunLog;
  sentRows: Deliveries;
  targets: StreamTargets;
  windows: AccountLookbacks;
  /** Lookback days by account, as the platform reported them within the last day. */
  knownWindows: Map<string, number>;
  exchange: Exchange | null;
  signal: AbortSignal;
  /** Checked before each slice: whether the subscription no longer covers syncs. */
  isLapsed: () => Promise<boolean>;
}
