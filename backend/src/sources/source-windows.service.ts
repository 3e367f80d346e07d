import { Injectable } from '@nestjs/common';
import { ProviderBudget } from '../apps/index.js';
import type { AdAccount, ConnectorContext, Source } from '../connectors/kit/contract.js';
import { toFailure } from '../core/http/failures.js';
import { Problem } from '../core/http/problem.js';
import { SingleFlight } from '../core/jobs/single-flight.js';
import { AccountLookbacks } from './account-lookbacks.service.js';
import type { SourceWindows } from './sources.dto.js';
import { SourcesService } from './sources.service.js';

const WINDOWS_TIMEOUT_MS = 30_000;

/** The lookback window of each account of a source: stored, and requested from the platform once a day. */
@Injectable()
export class SourceWindowsService {
  private readonly active = new SingleFlight<SourceWindows['failure']>();

  constructor(
    private readonly sources: SourcesService,
    private readonly windows: AccountLookbacks,
    private readonly budget: ProviderBudget,
  ) {}

  async read(organizationId: string, sourceId: string): Promise<SourceWindows> {
    return this.answer(organizationId, sourceId, null);
  }

  /** Requests windows that are missing or older than a day. Accounts that fail are part of the result. */
  async refresh(organizationId: string, sourceId: string): Promise<SourceWindows> {
    const failure = await this.active.share(`${organizationId} ${sourceId}`, () => this.fetchMissing(organizationId, sourceId));
    return this.answer(organizationId, sourceId, failure);
  }

  /** Lookback of one account in days: the stored value if it is less than a day old, otherwise from the platform. */
  async fetchLookback(
    context: ConnectorContext,
    { organizationId, sourceId, connector }: { organizationId: string; sourceId: string; connector: Source },
    account: AdAccount,
    known: Map<string, number>,
  ): Promise<number> {
    const learned = known.get(account.externalId);
    if (learned !== undefined) return learned;
    const days = await connector.lookbackDays(context, account);
    await this.windows.save(organizationId, sourceId, account.externalId, days);
    return days;
  }

  private async fetchMissing(organizationId: string, sourceId: string): Promise<SourceWindows['failure']> {
    const { connector, accounts } = await this.sources.open(organizationId, sourceId);
    const known = await this.windows.find(organizationId, sourceId);
    const signal = AbortSignal.timeout(WINDOWS_TIMEOUT_MS);
    const context = this.budget.contextOf(organizationId, connector.provider, signal);
    let failure: SourceWindows['failure'] = null;
    const fetching = accounts
      .filter(({ status }) => status === 'enabled')
      .map((account) =>
        this.fetchLookback(context, { organizationId, sourceId, connector }, account, known).catch((error: unknown) => {
          if (error instanceof Problem) throw error;
          failure = toFailure(error);
        }),
      );
    await Promise.all(fetching);
    return failure;
  }

  private async answer(organizationId: string, sourceId: string, failure: SourceWindows['failure']): Promise<SourceWindows> {
    const { accounts } = await this.sources.open(organizationId, sourceId);
    const learned = new Map((await this.windows.list(organizationId, sourceId)).map((window) => [window.accountId, window]));
    const items = accounts.map(({ externalId: accountId }) => {
      const window = learned.get(accountId);
      return {
        accountId,
        lookbackDays: window?.lookbackDays ?? null,
        learnedAt: window?.learnedAt.toISOString() ?? null,
      };
    });
    return { items, failure };
  }
}
