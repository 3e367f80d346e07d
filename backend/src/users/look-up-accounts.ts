import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { AccessWatch, Firebase } from '../access/index.js';
import { LOGGER } from '../core/observability/logger.js';
import { type AccountState, findAccounts, MAX_ACCOUNTS } from './account-states.js';
import { ApplyAccountState, type KnownPerson, wouldDisable } from './apply-account-state.js';

/**
 * Minimum time between two look-ups of one account. An active user who is disabled at Firebase keeps access for about this long.
 */
const EVERY_MS = 60_000;
/** Maximum concurrent look-ups. The SDK times out after 25 s and retries four times, so they would pile up during an outage. */
const MAX_AT_ONCE = 10;
const MAX_REMEMBERED = 10_000;

/**
 * Looks up the account of each caller at Firebase, at most once a minute per process. No request waits for it. The guard rejects
 * a disabled account as soon as the result is stored.
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
    private readonly accounts: ApplyAccountState,
  ) {}

  onModuleInit(): void {
    if (!this.firebase.canLookUp) return;
    this.watch.onNotice(async (notice) => {
      if (notice.kind === 'authenticated') this.start(notice.uid, notice.isPerson);
    });
  }

  onApplicationBootstrap(): void {
    if (this.firebase.canLookUp) return;
    this.logger.warn(
      'FIREBASE_SERVICE_ACCOUNT is not set. Accounts that are disabled or deleted at Firebase keep access until staff disable them',
    );
  }

  private start(uid: string, isPerson: boolean): void {
    const now = Date.now();
    const isRecent = now - (this.startedAt.get(uid) ?? -Infinity) < EVERY_MS;
    if (isRecent || this.running.has(uid) || this.running.size >= MAX_AT_ONCE) return;
    const [oldest] = this.startedAt.keys();
    if (this.startedAt.size >= MAX_REMEMBERED && oldest !== undefined) this.startedAt.delete(oldest);
    this.startedAt.delete(uid);
    this.startedAt.set(uid, now);
    this.running.add(uid);
    void this.lookUp(uid, isPerson).finally(() => this.running.delete(uid));
  }

  private async lookUp(uid: string, isPerson: boolean): Promise<void> {
    try {
      const account = (await findAccounts(this.firebase.auth, [uid])).get(uid);
      const person = await this.accounts.findPerson(uid);
      if (account && person) {
        if (!isPerson) await this.assertProject(person, account);
        await this.accounts.apply(person, account);
      }
      if (this.isFailing) this.logger.info('account look-ups at Firebase work again');
      this.isFailing = false;
    } catch (error) {
      // One warning per outage or wrong project, because it affects all users.
      this.logger[this.isFailing ? 'debug' : 'warn']({ err: error }, 'failed to look up an account at Firebase');
      this.isFailing = true;
    }
  }

  /**
   * A wrong project knows no user, and a user who is disabled loses API keys permanently. A token was issued by the project, so the
   * account of a person existed there; an API key proves nothing.
   */
  private async assertProject(person: KnownPerson, account: AccountState): Promise<void> {
    if (account.standing !== 'deleted' || !wouldDisable(person, account)) return;
    const others = await this.accounts.findOthers(person.uid, MAX_ACCOUNTS);
    const states = others.length === 0 ? [] : [...(await findAccounts(this.firebase.auth, others)).values()];
    if (states.every(({ standing }) => standing === 'deleted'))
      throw new Error('The creator of an API key and all other users are unknown at Firebase. Check FIREBASE_PROJECT_ID');
  }
}
