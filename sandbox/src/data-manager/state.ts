import type { Clock } from '../clock.ts';
import type { Faults } from '../faults.ts';
import type { ConversionStore } from '../google-ads/conversion-store.ts';
import type { Revocations } from '../google-ads/revocations.ts';
import { Journal } from '../journal.ts';
import type { ProviderParts } from '../provider.ts';
import { Limits } from './limits.ts';
import type { Destination } from './types.ts';

/** The outcome of an accepted request for one destination. */
export interface DestinationResult {
  destination: Destination;
  /** Number of events sent to it. */
  records: number;
  /** Failed events by reason. */
  failures: Record<string, number>;
}

export interface AcceptedRequest {
  requestId: string;
  /** Milliseconds. */
  acceptedAt: number;
  readyAt: number;
  /** In the order of the request. */
  results: DestinationResult[];
}

/** State of the simulated Data Manager API. Conversions are stored by Google Ads. */
export class DataManagerState {
  readonly clock: Clock;
  readonly faults: Faults;
  readonly revocations: Revocations;
  readonly conversions: ConversionStore;
  readonly limits: Limits;
  readonly #requests = new Map<string, AcceptedRequest>();
  readonly #journal = new Journal<AcceptedRequest>();

  constructor({ clock, faults, dataDir }: ProviderParts, revocations: Revocations, conversions: ConversionStore) {
    this.clock = clock;
    this.faults = faults;
    this.revocations = revocations;
    this.conversions = conversions;
    this.limits = new Limits(clock);
    for (const request of this.#journal.open(dataDir, 'requests.jsonl')) this.#requests.set(request.requestId, request);
  }

  now(): number {
    return this.clock.now().getTime();
  }

  addRequest(request: AcceptedRequest): void {
    this.#requests.set(request.requestId, request);
    this.#journal.append([request]);
  }

  findRequest(requestId: string): AcceptedRequest | undefined {
    return this.#requests.get(requestId);
  }

  requests(): AcceptedRequest[] {
    return [...this.#requests.values()];
  }
}
