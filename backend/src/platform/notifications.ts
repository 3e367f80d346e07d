import { Inject, Injectable, type OnApplicationBootstrap, type BeforeApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import type { Logger } from 'pino';
import { type Observable, Subject } from 'rxjs';
import { Database } from './database.js';
import { ENV, type Env } from './env.js';
import { LOGGER } from './logger.js';

/** Something happened that a browser may be watching. Small: PostgreSQL carries at most 8,000 bytes. */
export interface LiveEvent {
  organizationId: string;
  /** Null: it is about no connection. */
  connectionId: string | null;
  type: 'run' | 'connection' | 'push';
  data: object;
}

const CHANNEL = 'tributary_live';
const RECONNECT_MS = 1_000;

/** Live events between processes, over LISTEN/NOTIFY: any number of API processes hear what any worker says. */
@Injectable()
export class Notifications implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly events = new Subject<LiveEvent>();
  private client: pg.Client | undefined;
  private reconnect: NodeJS.Timeout | undefined;
  private isEnding = false;

  constructor(
    @Inject(ENV) private readonly env: Env,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly database: Database,
  ) {}

  get live(): Observable<LiveEvent> {
    return this.events;
  }

  async publish(event: LiveEvent): Promise<void> {
    await this.database.pool.query('select pg_notify($1, $2)', [CHANNEL, JSON.stringify(event)]);
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.env.ROLE === 'api' || this.env.ROLE === 'all') await this.listen();
  }

  /** Before the server closes: it would wait for the open streams. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isEnding = true;
    clearTimeout(this.reconnect);
    this.events.complete();
    await this.client?.end();
  }

  private async listen(): Promise<void> {
    // A connection of its own: one from the pool could be handed back while it listens.
    const client = new pg.Client({ connectionString: this.env.DATABASE_URL, application_name: 'tributary-live' });
    client.on('notification', (message) => this.events.next(JSON.parse(message.payload ?? '{}') as LiveEvent));
    client.on('error', () => this.listenAgain());
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      this.client = client;
    } catch (error) {
      this.logger.warn({ err: error }, 'live events are interrupted');
      this.listenAgain();
    }
  }

  private listenAgain(): void {
    this.client = undefined;
    clearTimeout(this.reconnect);
    if (!this.isEnding) this.reconnect = setTimeout(() => void this.listen(), RECONNECT_MS);
  }
}
