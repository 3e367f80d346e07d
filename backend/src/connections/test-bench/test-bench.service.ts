import { Injectable } from '@nestjs/common';
import { ProviderBudget } from '../../apps/index.js';
import { Notifications } from '../../core/database/notifications.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import { DestinationsService } from '../../destinations/index.js';
import { type OpenSource, SourcesService } from '../../sources/index.js';
import { DeliveryLedger, ExchangeRates } from '../../sync/index.js';
import type { ConnectionEntry } from '../connections.dto.js';
import { ConnectionsQueries } from '../connections.queries.js';
import { ReadingContext } from '../reading-context.js';
import { chooseSlice, type TestedSlice } from './choose-slice.js';
import type { ConnectionTest, TestConnectionBody } from './test-bench.dto.js';
import { checkSource, openAndCheck, readAndPreview, type TestContexts } from './test-steps.js';

const TIMEOUT_MS = 60_000;
const MOST_REQUESTS = 100;

/** Tests a connection with one day of one account. Writes nothing, at the destination or here. */
@Injectable()
export class TestBench {
  constructor(
    private readonly queries: ConnectionsQueries,
    private readonly sources: SourcesService,
    private readonly destinations: DestinationsService,
    private readonly tenants: TenantDatabase,
    private readonly budget: ProviderBudget,
    private readonly rates: ExchangeRates,
    private readonly sentRows: DeliveryLedger,
    private readonly notifications: Notifications,
  ) {}

  async test(organizationId: string, connectionId: string, body: TestConnectionBody): Promise<ConnectionTest> {
    const connection = await this.queries.getConnection(organizationId, connectionId);
    const source = await this.sources.open(organizationId, connection.source.id);
    const tested = chooseSlice(connection, source, body, new Date());
    return this.destinations.runLimited(organizationId, TIMEOUT_MS, async (signal) => {
      const contexts = await this.contextsFor(organizationId, connection, tested, signal);
      const report = (step: string) => this.report(organizationId, connectionId, body.testId, step);
      return this.run(organizationId, { connection, source, tested, contexts, report });
    });
  }

  private async run(organizationId: string, { connection, source, tested, contexts, report }: Test): Promise<ConnectionTest> {
    const { slice, written } = tested;
    const open = () => this.destinations.open(organizationId, connection.destination.id);
    const [sourceItems, target] = await Promise.all([
      checkSource(source, slice.account, contexts.source).finally(() => report('source')),
      openAndCheck(open, contexts.destination).finally(() => report('destination')),
    ]);
    try {
      const isReadable = sourceItems.every(({ state }) => state === 'passed');
      const read = await readAndPreview({ source, slice, written, isReadable, target, contexts, report });
      return {
        stream: slice.stream.name,
        account: slice.account,
        day: slice.from,
        sourceItems: [...sourceItems, read.sourceItem],
        destinationItems: [...target.items, read.destinationItem],
        sample: read.sample,
        requests: contexts.source.requests.slice(0, MOST_REQUESTS).map((request) => ({ ...request, body: request.body ?? null })),
        write: read.write,
      };
    } finally {
      await target.destination?.close();
    }
  }

  private async contextsFor(
    organizationId: string,
    { source, destination }: ConnectionEntry,
    { slice, hashed }: TestedSlice,
    signal: AbortSignal,
  ): Promise<TestContexts> {
    const spend = (provider: Parameters<ProviderBudget['spend']>[1]) => () => this.budget.spend(organizationId, provider);
    const organization = await this.tenants.of(organizationId).organization.findFirst({ select: { currency: true } });
    const exchange = await this.rates.open(organization?.currency ?? '', slice.account.currency, slice);
    return {
      source: new ReadingContext(signal, spend(source.provider), { exchange, recordsBodies: true }),
      destination: {
        signal,
        onRequest: () => undefined,
        beforeRequest: spend(destination.provider),
        ledger: this.sentRows.readOnly(organizationId, destination.id),
        hashed,
      },
    };
  }

  /** Live progress. A lost event does not matter: the answer has everything. */
  private report(organizationId: string, connectionId: string, testId: string | undefined, step: string): void {
    if (testId === undefined) return;
    const data = { connectionId, testId, step };
    this.notifications.publish({ organizationId, connectionId, type: 'test_bench', data }).catch(() => undefined);
  }
}

interface Test {
  connection: ConnectionEntry;
  source: OpenSource;
  tested: TestedSlice;
  contexts: TestContexts;
  report: (step: string) => void;
}
