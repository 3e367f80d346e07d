import { join } from 'node:path';
import { Clock } from './clock.ts';
import { Faults } from './faults.ts';
import type { OpenProvider, Provider } from './provider.ts';
import { allProviders } from './providers.ts';
import { RequestLog } from './request-log.ts';

export interface PlayedProvider extends OpenProvider {
  provider: Provider;
}

/** What the parts of one sandbox share; several may run in one process. */
export interface Sandbox {
  clock: Clock;
  faults: Faults;
  requestLog: RequestLog;
  providers: PlayedProvider[];
}

export interface SandboxSettings {
  /** 0: a free one. */
  port?: number | undefined;
  /** The PostgreSQL that faults of the provider `postgresql` break. */
  warehouseUrl?: string | undefined;
  /** Where revocations, restatements and what was sent are kept over a restart; without it they are forgotten. */
  dataDir?: string | undefined;
}

export function createSandbox({ warehouseUrl, dataDir }: SandboxSettings): Sandbox {
  const providers = allProviders(warehouseUrl);
  const clock = new Clock();
  const faults = new Faults(Object.fromEntries(providers.map((provider) => [provider.name, provider.faults])));
  const played = providers.map((provider) => ({
    provider,
    ...provider.open({ clock, faults, dataDir: dataDir ? join(dataDir, provider.name) : undefined }),
  }));
  return { clock, faults, requestLog: new RequestLog(), providers: played };
}
