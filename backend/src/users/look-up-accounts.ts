import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { AccessWatch, Firebase } from '../access/index.js';
import { LOGGER } from '../core/observability/logger.js';
import { findAccounts } from './account-states.js';
import { FollowAccount } from './follow-account.js';

/** The least time between two look-ups of one account: a disabled one in use keeps its access for about as long. */
const EVERY_MS = 60_000;
/** Concurrent look-ups. The SDK times out after 25 s and retries up to four times, so they would pile up while Firebase hangs. */
const MAX_AT_ONCE = 10;
const MAX_REMEMBERED = 10_000;

/**
 * Looks up the account of each caller, at most once a minute in each process. No request waits for it: a disabled account is
 * refused by the guard's own query as soon as the result is stored.
 */
@Injectable()
export class LookUpAccounts implements OnModuleInit, OnApplicationBootstrap {
  private readonly startedAt = new Map<string, number>();
  private readonly running = new Set<string>();
  private isFailing = false;

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly firebase: Firebase,
    private readonly watch: AccessWatch,
    private readonly accounts: FollowAccount,
  ) {}

  onModuleInit(): void {
    if (!this.firebase.canLookUp) return;
    this.watch.onNotice(async (notice) => {
      if (notice.kind === 'authenticated') this.start(notice.uid);
    });
  }

  onApplicationBootstrap(): void {
    if (this.firebase.canLookUp) return;
    this.logger.warn(
      'FIREBASE_SERVICE_ACCOUNT is not set: accounts that are disabled or deleted at Firebase keep their access until staff disable them here',
    );
  }

  private start(uid: string): void {
    const now = Date.now();
    const isRecent = now - (this.startedAt.get(uid) ?? -Infinity) < EVERY_MS;
    if (isRecent || this.running.has(uid) || this.running.size >= MAX_AT_ONCE) return;
    const [oldest] = this.startedAt.keys();
    if (this.startedAt.size >= MAX_REMEMBERED && oldest !== undefined) this.startedAt.delete(oldest);
    this.startedAt.delete(uid);
    this.startedAt.set(uid, now);
    this.running.add(uid);
    void this.lookUp(uid).finally(() => this.running.delete(uid));
  }

  private async lookUp(uid: string): Promise<void> {
    try {
      const account = (await findAccounts(this.firebase.auth, [uid])).get(uid);
      const person = await this.accounts.findPerson(uid);
      if (account && person) await this.accounts.apply(person, account);
      if (this.isFailing) this.logger.info('accounts can be looked up again');
      this.isFailing = false;
    } catch (error) {
      // One warning for an outage: it concerns every person alike.
      this.logger[this.isFailing ? 'debug' : 'warn']({ err: error }, 'could not look up an account at Firebase');
      this.isFailing = true;
    }
  }
}
