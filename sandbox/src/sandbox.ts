import { join } from 'node:path';
import { Clock } from './clock.ts';
import { Faults } from './faults.ts';
import type { OpenProvider, Provider } from './provider.ts';
import { allProviders } from './providers.ts';
import { RequestLog } from './request-log.ts';

export interface PlayedProvider extends OpenProvider {
  provider: Provider;
}

/** Resources shared by the parts of one sandbox. Several sandboxes can run in one process. */
export interface Sandbox {
  clock: Clock;
  faults: Faults;
  requestLog: RequestLog;
  providers: PlayedProvider[];
}

export interface SandboxSettings {
  /** 0: a free port. */
  port?: number | undefined;
  /** The PostgreSQL for faults of the provider `postgresql`. */
  warehouseUrl?: string | undefined;
  /** Folder for revocations, restatements and sent data across restarts; without it they are lost. */
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
