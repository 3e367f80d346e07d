import type { AdAccount, ConnectorContext, Stream, TableReplacement, Target, Targets } from '../../connectors/kit/contract.js';
import { FixSettings } from '../../connectors/kit/errors.js';
import { withoutColumns } from '../../connectors/kit/rows/excluded-columns.js';
import { identifyHashed } from '../../connectors/kit/rows/hashed-columns.js';
import { writtenTo } from '../ledger/stream-targets.js';
import { allLoaded } from '../run/nothing-to-load.js';
import type { RunPlanner } from '../run/plan-run.js';
import type { RunParts } from '../run/run-parts.js';
import type { ResyncScope } from '../run/run-scope.js';

/** What a run of a re-sync does besides loading slices: it prepares the new table, and the last run swaps the tables. */
export class ResyncWork {
  constructor(
    private readonly parts: RunParts,
    private readonly planner: RunPlanner,
    private readonly scope: ResyncScope,
  ) {}

  /** True: an earlier worker has swapped the tables and did not store it, or stored it and did not end the run. */
  async completeSwap(context: ConnectorContext): Promise<boolean> {
    const { lease, resyncs } = this.parts;
    if (!this.scope.isSwap) return false;
    const loaded = await resyncs.findLoaded(lease, this.scope);
    if (!loaded || !(await this.replacement.isSwapped(context, this, loaded))) return false;
    await this.store(context);
    if (!lease.isPlanned) throw allLoaded();
    return true;
  }

  /** Creates the new table. Fails first if it could never take the place of the old one. */
  async prepare(context: ConnectorContext): Promise<Targets> {
    const { lease, connection, destination, resyncs } = this.parts;
    await this.inspect(context);
    const found = identifyHashed(await destination.prepare(context, [this.beside]), this.planner.written, connection.hashed);
    const target = found.get(this.scope.stream);
    if (!target) throw new Error('a prepared stream has a target');
    await resyncs.identify(lease, this.scope, writtenTo(target, this.beside));
    return found;
  }

  /** Null for a run that loads chunks. */
  planSwap(now: Date): Promise<void> | null {
    const { lease, resyncs } = this.parts;
    return this.scope.isSwap ? resyncs.planSwap(lease, this.scope, this.accounts, now) : null;
  }

  /** Does nothing in a run that loads chunks, and if a day was not loaded. */
  async swap(context: ConnectorContext): Promise<void> {
    const { lease, resyncs, log } = this.parts;
    if (!this.scope.isSwap) return;
    const replaced = await this.inspect(context);
    const loaded = await resyncs.beginSwap(lease, this.scope, { replaced, accounts: this.accounts });
    if (!loaded) return;
    const { stream, beside } = this;
    try {
      await this.replacement.swap(context, { stream, beside, loaded }, { runId: lease.runId, leaseEpoch: lease.epoch });
    } catch (error) {
      context.signal.throwIfAborted();
      if (await this.isRolledBack(context)) await resyncs.endAttempt(lease, this.scope);
      throw error;
    }
    await this.store(context);
    await log.write(lease, 'info', `The new table of ${stream.name} took the place of the old one.`);
  }

  private async store(context: ConnectorContext): Promise<void> {
    const { lease, destination, resyncs } = this.parts;
    const target = (await destination.locate(context, [this.stream])).get(this.scope.stream);
    if (!target) throw new Error('a swapped table has a target');
    await resyncs.commit(lease, this.scope, target.place);
  }

  /** False also if it is unknown. The run then keeps its plan, so that no other run loads before it is known. */
  private async isRolledBack(context: ConnectorContext): Promise<boolean> {
    const loaded = await this.parts.resyncs.findLoaded(this.parts.lease, this.scope);
    if (!loaded) return true;
    return this.replacement.isSwapped(context, this, loaded).then(
      (isSwapped) => !isSwapped,
      () => false,
    );
  }

  private async inspect(context: ConnectorContext): Promise<Target | null> {
    const { lease, targets } = this.parts;
    const old = await this.replacement.inspect(context, this.stream);
    if (old) await targets.assertNoConflict(lease, this.planner.streams, new Map([[this.scope.stream, old]]));
    return old;
  }

  private get replacement(): TableReplacement {
    const { replacement } = this.parts.destination;
    if (!replacement) throw unsupported();
    return replacement;
  }

  private get accounts(): AdAccount[] {
    return [...this.planner.accounts.values()];
  }

  /** The stream with its own table. */
  get stream(): Stream {
    const stream = this.planner.streams.get(this.scope.stream);
    if (!stream) throw new Error('the stream was offered');
    return withoutColumns(stream, this.parts.connection.leftOut[stream.name]);
  }

  /** The stream with the new table. */
  get beside(): Stream {
    const stream = this.planner.written.get(this.scope.stream);
    if (!stream) throw new Error('the stream was offered');
    return stream;
  }
}

const unsupported = (): FixSettings =>
  new FixSettings({
    code: 'resync.unsupported',
    message: 'The destination cannot replace a table while it is read.',
    action: 'Cancel the re-sync',
  });
