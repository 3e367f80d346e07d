import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { Firebase } from '../access/index.js';
import { defineScheduledJob } from '../core/jobs/define-job.js';
import { type JobContext, Jobs } from '../core/jobs/jobs.js';
import { LOGGER } from '../core/observability/logger.js';
import { type AccountState, findAccounts, MAX_ACCOUNTS } from './account-states.js';
import { ApplyAccountState, type KnownPerson, wouldDisable } from './apply-account-state.js';

const reconcileAccounts = defineScheduledJob('reconcile-accounts', 'every-night');

/**
 * With at least this many enabled users, a job that would disable more than half of them assumes a wrong setting. With fewer users it
 * does so if Firebase knows none of them.
 */
const GUARDED_FROM = 10;
/** After this many failures Firebase counts as down, and the next nightly job retries. */
const MAX_FAILURES_IN_A_ROW = 5;

type Pair = [person: KnownPerson, account: AccountState];

/**
 * Nightly job: disables users whose account is disabled or deleted at Firebase, and enables users whose account is active again.
 */
@Injectable()
export class ReconcileAccounts implements OnModuleInit {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly firebase: Firebase,
    private readonly accounts: ApplyAccountState,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(reconcileAccounts, (_, context) => this.reconcile(context));
  }

  /** Looks up all accounts before it changes any, so that a wrong Firebase project is detected first. */
  async reconcile({ signal }: JobContext): Promise<void> {
    if (!this.firebase.canLookUp) return;
    const pairs = await this.lookUpAll(signal);
    const enabled = pairs.filter(([person]) => !person.isDisabled).length;
    const disabling = pairs.filter(([person, account]) => wouldDisable(person, account)).length;
    const isEveryoneUnknown = pairs.every(([, { standing }]) => standing === 'deleted');
    if (disabling > 0 && (isEveryoneUnknown || (enabled >= GUARDED_FROM && disabling > enabled / 2))) {
      this.logger.error(
        { enabled, disabling },
        'most accounts are disabled or unknown at Firebase. No user was changed. Check FIREBASE_PROJECT_ID',
      );
      return;
    }
    for (const [person, account] of pairs) {
      if (signal.aborted) return;
      await this.accounts.apply(person, account);
    }
    this.logger.info({ people: pairs.length, disabling }, 'reconciled accounts with Firebase');
  }

  private async lookUpAll(signal: AbortSignal): Promise<Pair[]> {
    const pairs: Pair[] = [];
    let after = '';
    let failures = 0;
    while (!signal.aborted && failures < MAX_FAILURES_IN_A_ROW) {
      const people = await this.accounts.findPeopleAfter(after, MAX_ACCOUNTS);
      const last = people.at(-1);
      if (!last) break;
      after = last.uid;
      try {
        pairs.push(...(await this.lookUp(people)));
        failures = 0;
      } catch (error) {
        failures += 1;
        this.logger.warn({ err: error, people: people.length }, 'failed to look up a batch of accounts at Firebase');
      }
    }
    return pairs;
  }

  private async lookUp(people: KnownPerson[]): Promise<Pair[]> {
    const accounts = await findAccounts(this.firebase.auth, people.map(({ uid }) => uid)); // prettier-ignore
    return people.flatMap((person): Pair[] => {
      const account = accounts.get(person.uid);
      return account ? [[person, account]] : [];
    });
  }
}
