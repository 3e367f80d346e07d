import type { FieldChoice } from '../../connectors/kit/rows/excluded-columns.js';
import type { PlanState, ResolvedDestination, ResolvedSource } from './plan-state.js';

interface Writer {
  id: string;
  name: string;
  destinationId: string;
  provider: string;
  accountIds: string[];
  streams: string[];
  fields: FieldChoice;
}
interface Given {
  id: string;
  name?: string;
  source: ResolvedSource;
  destination: ResolvedDestination;
  streams: string[];
  fields: FieldChoice;
}

/** All connections as they are after the import. Two of them may write the same rows only with the same fields. */
export class Writers {
  private readonly byDestination = new Map<string, Map<string, Writer>>();

  constructor(private readonly state: PlanState) {
    const { current, connectors } = state;
    const apps = new Map(current.apps.map(({ entry }) => [entry.key, entry]));
    const sources = new Map(current.sources.map((source) => [source.id, source.entry]));
    for (const { id, sourceId, destinationId, entry } of current.connections) {
      const source = sources.get(sourceId);
      const provider = apps.get(source?.app ?? '')?.provider;
      if (!source || !provider || !connectors.findSource(provider)) continue;
      const columnsOf = (list: { stream: string; columns: string[] }[]) =>
        Object.fromEntries(list.map(({ stream, columns }) => [stream, columns]));
      const fields = { leftOut: columnsOf(entry.leftOut), hashed: columnsOf(entry.hashedFields) };
      const { accountIds } = source;
      this.put({ id, name: entry.name, destinationId, provider, accountIds, streams: entry.streams, fields });
    }
  }

  /** The reason why a connection cannot write these fields; null: it can. */
  conflictOf({ id, source, destination, streams, fields }: Given): string | null {
    for (const other of this.byDestination.get(destination.id)?.values() ?? []) {
      const isShared =
        other.id !== id &&
        other.provider === source.app.provider &&
        other.accountIds.some((account) => source.accountIds.includes(account));
      if (!isShared) continue;
      const both = source.streams.filter(({ name }) => streams.includes(name) && other.streams.includes(name));
      const differing = this.state.services.connections.differingStreams(both, fields, other.fields);
      if (differing.length > 0) return `${other.name} writes the same rows with other fields (${differing.join(', ')})`;
    }
    return null;
  }

  add({ id, name = '', source, destination, streams, fields }: Given): void {
    const { accountIds, app } = source;
    this.put({ id, name, destinationId: destination.id, provider: app.provider, accountIds, streams, fields });
  }

  private put(writer: Writer): void {
    const known = this.byDestination.get(writer.destinationId) ?? new Map<string, Writer>();
    this.byDestination.set(writer.destinationId, known.set(writer.id, writer));
  }
}
