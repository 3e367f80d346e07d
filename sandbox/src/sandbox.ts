import { Clock } from './clock.ts';
import { Faults } from './faults.ts';
import { googleAdsFaults } from './google-ads/faults.ts';
import { GoogleAdsState } from './google-ads/state.ts';
import { postgresqlFaults, WarehouseFaults } from './postgresql/faults.ts';
import { RequestLog } from './request-log.ts';

/** What the parts of one sandbox share; several may run in one process. */
export interface Sandbox {
  clock: Clock;
  faults: Faults;
  requestLog: RequestLog;
  googleAds: GoogleAdsState;
  warehouse: WarehouseFaults | null;
}

export interface SandboxSettings {
  /** 0: a free one. */
  port?: number | undefined;
  /** The PostgreSQL that faults of the provider `postgresql` break. */
  warehouseUrl?: string | undefined;
  /** Where revocations and restatements are kept over a restart; without it they are forgotten. */
  dataDir?: string | undefined;
}

export function createSandbox({ warehouseUrl, dataDir }: SandboxSettings): Sandbox {
  const clock = new Clock();
  const faults = new Faults({ 'google-ads': googleAdsFaults, postgresql: postgresqlFaults });
  return {
    clock,
    faults,
    requestLog: new RequestLog(),
    googleAds: new GoogleAdsState(clock, faults, dataDir),
    warehouse: warehouseUrl ? new WarehouseFaults(warehouseUrl) : null,
  };
}
