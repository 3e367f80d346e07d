import type { FieldChoice } from '../../connectors/kit/rows/excluded-columns.js';
import type { PlanState, ResolvedDestination, ResolvedSource } from './plan-state.js';

interface Writer {
  id: string;
  name: string;
  streams: string[];
  fields: FieldChoice;
}
interface Place {
  destinationId: string;
  provider: string;
  accountIds: string[];
}
interface Given {
  id: string;
  name?: string;
  source: ResolvedSource;
  destination: ResolvedDestination;
  streams: string[];
  fields: FieldChoice;
}

/** Writers of the same accounts: by stream, by what they do with its fields, by id. */
interface Group {
  accountIds: Set<string>;
  streams: Map<string, Map<string, Map<string, Writer>>>;
  /** Whether it shares an account with another group. */
  overlaps: Map<Group, boolean>;
}

/**
 * All connections as they are after the import. Two of them may write the same rows only with the same fields. A file can have 1,000
 * connections of 500 accounts, so accounts are compared once for two groups, and only if their fields differ.
 */
export class Writers {
  /** By destination and provider, by accounts. */
  private readonly groups = new Map<string, Map<string, Group>>();
  private readonly groupOf = new Map<string, Group>();

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
      this.put({ destinationId, provider, accountIds }, { id, name: entry.name, streams: entry.streams, fields });
    }
  }

  /** The reason why a connection cannot write these fields; null: it can. */
  conflictOf({ id, source, destination, streams, fields }: Given): string | null {
    const groups = this.groupsOf(placeOf(source, destination));
    const own = this.groupIn(groups, source.accountIds);
    for (const group of groups.values()) {
      for (const other of othersOf(group, id, streams, fields)) {
        if (!overlap(own, group)) break;
        const both = source.streams.filter(({ name }) => streams.includes(name) && other.streams.includes(name));
        const differing = this.state.services.connections.differingStreams(both, fields, other.fields);
        if (differing.length > 0) return `${other.name} writes the same rows with other fields (${differing.join(', ')})`;
      }
    }
    return null;
  }

  add({ id, name = '', source, destination, streams, fields }: Given): void {
    this.put(placeOf(source, destination), { id, name, streams, fields });
  }

  /** Replaces what the connection wrote before. */
  private put(place: Place, writer: Writer): void {
    for (const choices of this.groupOf.get(writer.id)?.streams.values() ?? [])
      for (const writers of choices.values()) writers.delete(writer.id);
    const group = this.groupIn(this.groupsOf(place), place.accountIds);
    this.groupOf.set(writer.id, group);
    for (const stream of writer.streams) {
      const choices = getOrAdd(group.streams, stream, () => new Map<string, Map<string, Writer>>());
      getOrAdd(choices, choiceOf(stream, writer.fields), () => new Map<string, Writer>()).set(writer.id, writer);
    }
  }

  private groupsOf({ destinationId, provider }: Place): Map<string, Group> {
    return getOrAdd(this.groups, `${destinationId} ${provider}`, () => new Map<string, Group>());
  }

  private groupIn(groups: Map<string, Group>, accountIds: string[]): Group {
    const create = (): Group => ({ accountIds: new Set(accountIds), streams: new Map(), overlaps: new Map() });
    return getOrAdd(groups, JSON.stringify(accountIds), create);
  }
}

const placeOf = ({ app, accountIds }: ResolvedSource, { id }: ResolvedDestination): Place => ({
  ...{ destinationId: id, provider: app.provider, accountIds },
});

/** Other connections that treat the fields of one of the streams in another way. */
function* othersOf({ streams: known }: Group, id: string, streams: string[], fields: FieldChoice): Generator<Writer> {
  for (const stream of streams) {
    const own = choiceOf(stream, fields);
    for (const [choice, writers] of known.get(stream) ?? [])
      if (choice !== own) for (const writer of writers.values()) if (writer.id !== id) yield writer;
  }
}

const choiceOf = (stream: string, { leftOut, hashed }: FieldChoice): string => {
  const without = new Set(leftOut[stream]);
  const hashedOnes = (hashed[stream] ?? []).filter((column) => !without.has(column));
  return JSON.stringify([[...without].sort(), [...new Set(hashedOnes)].sort()]);
};

function overlap(one: Group, other: Group): boolean {
  return getOrAdd(one.overlaps, other, () => one === other || shareAny(one.accountIds, other.accountIds));
}

function shareAny(one: Set<string>, other: Set<string>): boolean {
  for (const id of one) if (other.has(id)) return true;
  return false;
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const value = create();
  map.set(key, value);
  return value;
}
