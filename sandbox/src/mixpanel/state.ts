import type { ProviderParts } from '../provider.ts';
import type { Clock } from '../clock.ts';
import type { Faults } from '../faults.ts';
import { Limits } from './limits.ts';
import { EventStore } from './store.ts';

/** What the simulated Mixpanel remembers. */
export class MixpanelState {
  readonly clock: Clock;
  readonly faults: Faults;
  readonly events: EventStore;
  readonly limits: Limits;
  /** How often records were refused: the two documented spellings of their id take turns. */
  refusals = 0;

  constructor({ clock, faults, dataDir }: ProviderParts) {
    this.clock = clock;
    this.faults = faults;
    this.events = new EventStore(dataDir);
    this.limits = new Limits(clock);
  }

  now(): number {
    return this.clock.now().getTime();
  }
}
