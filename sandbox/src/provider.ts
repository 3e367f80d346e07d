import type { Clock } from './clock.ts';
import type { Fault, FaultDescription, Faults } from './faults.ts';
import type { Route } from './router.ts';

/** Resources that the sandbox gives each provider. */
export interface ProviderParts {
  clock: Clock;
  faults: Faults;
  /** The provider's data folder, which survives restarts; undefined: nothing is stored. */
  dataDir: string | undefined;
}

/** A simulated provider. They are listed in `providers.ts`. */
export interface Provider {
  /** The name in paths, in faults and in the request log: `google-ads`. */
  name: string;
  title: string;
  faults: Record<string, FaultDescription>;
  open(parts: ProviderParts): OpenProvider;
}

export interface OpenProvider {
  /** The provider's own API below `/<name>/`, and test routes below `/admin/<name>/`. */
  routes: Route[];
  /** HTML for the sandbox's start page: addresses, users, accounts. */
  description: string;
  /** Executes a fault that is applied when posted. Throws InvalidFault for invalid parameters. */
  apply?(fault: Fault): void | Promise<void>;
  /** Reverts external effects of faults, when they are cleared or the sandbox ends. */
  clear?(faults: Fault[]): Promise<void>;
  /** Stops activities and stores data when the sandbox ends. */
  close?(): void;
}
