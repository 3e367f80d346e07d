import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { AccessWatch } from '../access/index.js';
import { Database } from '../core/database/database.js';
import { LOGGER } from '../core/observability/logger.js';

const EVERY_MS = 3_600_000;
const MAX_REMEMBERED = 10_000;

/**
 * Stores when a person last used the product, at most once an hour. A sign-in can last for months, so that its start says little.
 * No request waits for it, and requests of API keys do not count.
 */
@Injectable()
export class StoreActivity implements OnModuleInit {
  private readonly storedAt = new Map<string, number>();

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly database: Database,
    private readonly watch: AccessWatch,
  ) {}

  onModuleInit(): void {
    this.watch.onNotice(async (notice) => {
      if (notice.kind === 'authenticated' && notice.isPerson) this.store(notice.uid);
    });
  }

  private store(uid: string): void {
    const now = Date.now();
    if (now - (this.storedAt.get(uid) ?? -Infinity) < EVERY_MS) return;
    const [oldest] = this.storedAt.keys();
    if (this.storedAt.size >= MAX_REMEMBERED && oldest !== undefined) this.storedAt.delete(oldest);
    this.storedAt.delete(uid);
    this.storedAt.set(uid, now);
    // Another process may have stored it within the hour.
    const before = new Date(now - EVERY_MS);
    this.database.prisma.user
      .updateMany({
        where: { uid, disabledAt: null, OR: [{ lastSeenAt: null }, { lastSeenAt: { lt: before } }] },
        data: { lastSeenAt: new Date(now) },
      })
      .catch((error: unknown) => this.logger.warn({ err: error, uid }, 'failed to store the last activity of a person'));
  }
}
