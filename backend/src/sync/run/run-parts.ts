import type { TenantDatabase } from '../../core/database/tenant-database.js';
import type { Destination, Deliveries } from '../../connectors/kit/contract.js';
import type { AccountLookbacks, OpenSource } from '../../sources/index.js';
import type { SchemaChanges } from '../ledger/schema-changes.js';
import type { StreamTargets } from '../ledger/stream-targets.js';
import type { Resyncs } from '../resync/resyncs.js';
import type { Lease } from '../ledger/lease.js';
import type { RunLedger } from '../ledger/run-ledger.js';
import type { RunLog } from '../ledger/run-log.js';
import type { Interruptions } from './interruptions.js';
import type { ProgressReporter } from './run-progress.js';
import type { RunRates } from './run-rates.js';
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
  resyncs: Resyncs;
  schemaChanges: SchemaChanges;
  windows: AccountLookbacks;
  /** Lookback days by account, as the platform reported them within the last day. */
  knownWindows: Map<string, number>;
  rates: RunRates;
  signal: AbortSignal;
  interruptions: Interruptions;
}
