import { Inject, Injectable } from '@nestjs/common';
import { ProviderBudget } from '../apps/index.js';
import type { AdAccount, ConnectorContext, Source } from '../connectors/kit/contract.js';
import { Connectors } from '../catalog/index.js';
import { mapConcurrently } from '../connectors/kit/map-concurrently.js';
import { withinTime } from '../connectors/kit/within-time.js';
import { WAITS, type Waits } from '../core/config/waits.js';
import { toFailure } from '../core/http/failures.js';
import { Problem } from '../core/http/problem.js';
import { SingleFlight } from '../core/jobs/single-flight.js';
import { AccountLookbacks } from './account-lookbacks.service.js';
import type { SourceWindows } from './sources.dto.js';
import { SourcesService } from './sources.service.js';

/** The lookback window of each account of a source: stored, and requested from the platform once a day. */
@Injectable()
export class SourceWindowsService {
  private readonly active = new SingleFlight<SourceWindows['failure']>();

  constructor(
    private readonly sources: SourcesService,
    private readonly windows: AccountLookbacks,
    private readonly budget: ProviderBudget,
    private readonly connectors: Connectors,
    @Inject(WAITS) private readonly waits: Waits,
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
    const limit = { serviceName: this.connectors.nameOf(connector.provider), milliseconds: this.waits.providerTimeoutMs };
    let failure: SourceWindows['failure'] = null;
    const note = (error: unknown): void => {
      if (error instanceof Problem) throw error;
      failure = toFailure(error);
    };
    await withinTime(limit, (signal) => {
      const context = this.budget.contextOf(organizationId, connector.provider, signal);
      const enabled = accounts.filter(({ status }) => status === 'enabled');
      return mapConcurrently(enabled, async (account) => {
        const fetching = this.fetchLookback(context, { organizationId, sourceId, connector }, account, known);
        // The other accounts are requested nevertheless, unless the time is over.
        await fetching.catch((error: unknown) => (signal.aborted ? Promise.reject(error as Error) : note(error)));
      });
    }).catch(note);
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
