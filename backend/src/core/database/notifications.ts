import { Inject, Injectable, type OnApplicationBootstrap, type BeforeApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import type { Logger } from 'pino';
import { type Observable, Subject } from 'rxjs';
import { Database, type SqlQuery } from './database.js';
import { ENV, type Env } from '../config/env.js';
import { type Waits, WAITS } from '../config/waits.js';
import { LOGGER } from '../observability/logger.js';
import type { TenantQuery } from './tenant-database.js';

// SQL: notifies listeners (`pg_notify`) when the caller's transaction commits, and checks the connection that listens.

/** A change that is sent to open browsers. PostgreSQL limits a payload to 8,000 bytes. */
export interface LiveEvent {
  organizationId: string;
  /** Null when the event is not about a connection. */
  connectionId: string | null;
  type: 'run' | 'connection' | 'push' | 'conversion' | 'alert' | 'members' | 'test_bench';
  data: object;
}

/** A user may have lost access, so every process rechecks the user's open streams. A null field means all. */
export interface AccessChange {
  organizationId: string | null;
  userId: string | null;
}

const CHANNEL = 'tributary_live';
const ACCESS_CHANNEL = 'tributary_access';
const RECONNECT_MS = 1_000;
const KEEP_ALIVE_MS = 10_000;

/** Part of the caller's transaction: the events are sent when it commits. Cast to text, because Prisma cannot read `void`. */
export async function publishLive(query: TenantQuery, events: Omit<LiveEvent, 'organizationId'>[]): Promise<void> {
  await query(
    `select pg_notify($2, json_build_object('organizationId', o.id, 'connectionId', e->'connectionId', 'type', e->'type', 'data', e->'data')::text)::text
       from organizations o, jsonb_array_elements($3::jsonb) e where o.id = $1`,
    [CHANNEL, JSON.stringify(events)],
  );
}

/** Live events between processes over LISTEN/NOTIFY: every API process receives the events of every worker. */
@Injectable()
export class Notifications implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly events = new Subject<LiveEvent>();
  private readonly changes = new Subject<AccessChange>();
  private readonly restarts = new Subject<void>();
  private client: pg.Client | undefined;
  /** The next check of the connection, or the next attempt to connect. */
  private timer: NodeJS.Timeout | undefined;
  private isEnding = false;

  constructor(
    @Inject(ENV) private readonly env: Env,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(WAITS) private readonly waits: Waits,
    private readonly database: Database,
  ) {}

  get live(): Observable<LiveEvent> {
    return this.events;
  }

  get accessChanges(): Observable<AccessChange> {
    return this.changes;
  }

  /** This process listens from now on. Events and changes before are lost. */
  get restarted(): Observable<void> {
    return this.restarts;
  }

  /** Sends the events in the given order. */
  async publish(...events: LiveEvent[]): Promise<void> {
    const payloads = events.map((event) => JSON.stringify(event));
    await this.database.pool.query('select pg_notify($1, payload) from unnest($2::text[]) payload', [CHANNEL, payloads]);
  }

  /** Part of the caller's transaction: the change is sent when it commits. Cast to text, because Prisma cannot read `void`. */
  async publishAccessChange(query: TenantQuery, change: AccessChange): Promise<void> {
    await query('select pg_notify($2, $3)::text from organizations where id = $1', [ACCESS_CHANNEL, JSON.stringify(change)]);
  }

  /** Reports a change of a user in all organizations, including those where the user is not a member. */
  async publishPersonChange(query: SqlQuery, userId: string): Promise<void> {
    const change: AccessChange = { organizationId: null, userId };
    await query('select pg_notify($1, $2)::text', [ACCESS_CHANNEL, JSON.stringify(change)]);
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.env.ROLE === 'api' || this.env.ROLE === 'all') await this.listen();
  }

  /** Runs before the server closes, because the server waits for open streams. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isEnding = true;
    clearTimeout(this.timer);
    this.events.complete();
    await this.client?.end();
  }

  private async listen(): Promise<void> {
    const client = this.newClient();
    this.client = client;
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      await client.query(`listen ${ACCESS_CHANNEL}`);
    } catch (error) {
      this.listenAgain(client, error);
      return;
    }
    if (this.client !== client) return;
    this.restarts.next();
    this.checkLater(client);
  }

  private newClient(): pg.Client {
    const client = new pg.Client({
      // A separate connection: the pool could reuse one of its connections for other work.
      connectionString: this.env.DIRECT_DATABASE_URL ?? this.env.DATABASE_URL,
      application_name: 'tributary-live',
      connectionTimeoutMillis: this.waits.liveCheckMs,
      query_timeout: this.waits.liveCheckMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    });
    client.on('notification', ({ channel, payload = '{}' }) => {
      if (channel === ACCESS_CHANNEL) this.changes.next(JSON.parse(payload) as AccessChange);
      else this.events.next(JSON.parse(payload) as LiveEvent);
    });
    client.on('error', (error) => this.listenAgain(client, error));
    return client;
  }

  /** A connection that only receives does not notice that its server has disappeared. */
  private checkLater(client: pg.Client): void {
    this.timer = setTimeout(() => {
      client.query('select 1').then(
        () => this.client === client && !this.isEnding && this.checkLater(client),
        (error: unknown) => this.listenAgain(client, error),
      );
    }, this.waits.liveCheckMs);
  }

  /** Once per client: a failed connection reports several errors. */
  private listenAgain(client: pg.Client, error: unknown): void {
    if (this.client !== client || this.isEnding) return;
    this.client = undefined;
    this.logger.warn({ err: error }, 'failed to listen for live events; reconnecting');
    // Not awaited: the server may not respond.
    client.end().catch(() => undefined);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.listen(), RECONNECT_MS);
  }
}
