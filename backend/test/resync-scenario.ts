import { expect } from 'vitest';
import type { BackfillDetail } from '../src/backfills/backfills.dto.js';
import type { ConnectionEntry } from '../src/connections/connections.dto.js';
import type { Completeness } from '../src/connections/coverage/coverage.dto.js';
import type { SchemaChangePage } from '../src/connections/schema/schema.dto.js';
import { addDays, dayInTimeZone } from '../src/connectors/kit/days.js';
import { daysAgo, eventually, expectStatus } from './factories.js';
import type { Answer } from './http.js';
import type { PlatformScenario } from './platform-scenario.js';

/** A run that loads only the lookback window of three days in the account's time zone, because older days count as loaded. */
export const onlyLookbackIn = (timeZone: string) => ({
  state: 'succeeded',
  window: { from: addDays(dayInTimeZone(new Date(), timeZone), -3) },
});

/** For the first account. */
export const onlyLookback = onlyLookbackIn('Europe/Berlin');

/** Re-syncs of one stream, for tests of the destinations that support them. */
export class ResyncScenario {
  constructor(
    private readonly scenario: PlatformScenario,
    private readonly stream: string,
  ) {}

  request(connection: string, stream = this.stream): Promise<Answer<BackfillDetail>> {
    return this.scenario.organization.call.post<BackfillDetail>(`${connection}/resyncs`, { stream });
  }

  /** Returns the id of its backfill. */
  async start(connection: string): Promise<string> {
    return expectStatus(await this.request(connection), 201).body.id;
  }

  async read(connection: string, id: string): Promise<BackfillDetail> {
    return expectStatus(await this.get<BackfillDetail>(`${connection}/backfills/${id}`), 200).body;
  }

  ended(connection: string, id: string): Promise<BackfillDetail> {
    return eventually(
      () => this.read(connection, id),
      ({ endedAt }) => endedAt !== null,
    );
  }

  /** Waits until the tables are swapped. Starts a re-sync unless one is given. */
  async swapped(connection: string, id?: string): Promise<BackfillDetail> {
    const done = await this.ended(connection, id ?? (await this.start(connection)));
    expect(done).toMatchObject({ state: 'completed', failure: null, phase: 'swapped', mode: 'resync' });
    // The run that follows a re-sync.
    await this.scenario.endedRun(connection);
    return done;
  }

  /** A changed table is fixed, the connection is healthy, and its history was read once since then. */
  async expectFixed(connection: string, { since, historyDays }: { since: Date; historyDays: number }): Promise<void> {
    const changes = (await this.get<SchemaChangePage>(`${connection}/schema-changes`)).body.items;
    expect(changes.map(({ kind, state }) => [kind, state])).toEqual([['table_changed', 'applied']]);
    expect((await this.get<ConnectionEntry>(connection)).body.health).toBe('healthy');
    expect(await this.scenario.runAgain(connection)).toMatchObject(onlyLookback);
    const oldest = (await this.scenario.slicesRead(since)).filter((name) => name.endsWith(daysAgo(historyDays)));
    expect(oldest).toHaveLength(1);
    const { body } = await this.get<Completeness>(`${connection}/completeness`);
    expect(body).toMatchObject({ isComplete: true, missing: 0 });
  }

  private get<Body>(path: string): Promise<Answer<Body>> {
    return this.scenario.organization.call.get<Body>(path);
  }
}
