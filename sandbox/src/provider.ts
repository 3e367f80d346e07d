import type { Clock } from './clock.ts';
import type { Fault, FaultDescription, Faults } from './faults.ts';
import type { Route } from './router.ts';

/** What the sandbox gives to each provider it plays. */
export interface ProviderParts {
  clock: Clock;
  faults: Faults;
  /** A folder of the provider's own for what should survive a restart; undefined: it is forgotten. */
  dataDir: string | undefined;
}

/** One provider that the sandbox plays; `providers.ts` lists them. */
export interface Provider {
  /** As it stands in paths, in faults and in the request log: `google-ads`. */
  name: string;
  title: string;
  faults: Record<string, FaultDescription>;
  open(parts: ProviderParts): OpenProvider;
}

export interface OpenProvider {
  /** The provider's own interface below `/<name>/`, and what tests ask below `/admin/<name>/`. */
  routes: Route[];
  /** HTML for the sandbox's start page: addresses, users, accounts. */
  description: string;
  /** Carries out a fault that happens when it is posted; throws InvalidFault for parameters that make no sense. */
  apply?(fault: Fault): void | Promise<void>;
  /** Undoes what faults have left in the world outside, before the sandbox ends or when they are cleared. */
  clear?(faults: Fault[]): Promise<void>;
  /** Ends what still runs and writes what should survive, when the sandbox ends. */
  close?(): void;
}
