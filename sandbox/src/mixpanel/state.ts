import type { ProviderParts } from '../provider.ts';
import type { Clock } from '../clock.ts';
import type { Faults } from '../faults.ts';
import { Limits } from './limits.ts';
import { projects } from './projects.ts';
import { seededPurchases } from './seeds.ts';
import { EventStore } from './store.ts';

/** State of the simulated Mixpanel. */
export class MixpanelState {
  readonly clock: Clock;
  readonly faults: Faults;
  readonly events: EventStore;
  readonly limits: Limits;
  /** Number of rejections: the two documented spellings of the id alternate. */
  refusals = 0;

  constructor({ clock, faults, dataDir }: ProviderParts) {
    this.clock = clock;
    this.faults = faults;
    const seed = (id: string) => (projects.get(id)?.hasPurchases ? seededPurchases(id, this.now()) : []);
    this.events = new EventStore(dataDir, seed);
    this.limits = new Limits(clock);
  }

  now(): number {
    return this.clock.now().getTime();
  }
}
