import { type ImportedConnection, toFreshnessTarget, toSchedule } from '../../connections/index.js';
import { type LoadedRange, takeOverDays } from '../../sync/index.js';
import type { FieldChoice } from '../../connectors/kit/rows/excluded-columns.js';
import { dayText } from '../../connectors/kit/day-text.js';
import { isDay, listDays } from '../../connectors/kit/days.js';
import { appendOnlyProviders } from '../../connectors/registry.js';
import { newId } from '../../core/database/identifiers.js';
import type { ConfiguredConnection } from '../file/flows.dto.js';
import { byText, identityOf, numbered } from '../file/identities.js';
import type { ExistingConnection } from '../file/read-configuration.js';
import { differences } from './differences.js';
import { addStep, type PlanState, rejectionOf, type ResolvedDestination, type ResolvedSource, skip } from './plan-state.js';
import { Writers } from './writers.js';

interface Ends {
  source: ResolvedSource;
  destination: ResolvedDestination;
}
interface Label {
  kind: 'connection';
  place: string;
  name: string;
}

export function planConnections(state: PlanState): void {
  const identity = numbered();
  const writers = new Writers(state);
  let count = state.current.connections.length;
  state.file.connections.forEach((entry, index) => {
    const label: Label = { kind: 'connection', place: `connections.${index}`, name: entry.name };
    const [source, destination] = [state.sources.get(entry.source), state.destinations.get(entry.destination)];
    if (!source || !destination) return skip(state, label, `Its ${source ? 'destination' : 'source'} is not imported`, false);
    const own = identity(identityOf.connection(source.identity, destination.identity, entry.name));
    const existing = state.current.connections.find((connection) => connection.identity === own);
    const invalid = problemOf(state, entry, source);
    if (invalid) return skip(state, label, invalid, existing !== undefined);
    const fields = fieldsOf(state, entry, source);
    const id = existing?.id ?? newId();
    const ends = { source, destination };
    const conflict = writers.conflictOf({ ...ends, id, streams: entry.streams, fields });
    if (conflict) return skip(state, label, conflict, existing !== undefined);
    if (existing) planExisting(state, label, { entry, existing, ends, fields });
    else if (state.limits.connections !== null && ++count > state.limits.connections)
      return skip(state, label, `The plan includes ${state.limits.connections} connections`, false);
    else planNew(state, label, { entry, id, ends, fields });
    writers.add({ ...ends, id, name: entry.name, streams: entry.streams, fields });
  });
}

const fieldsOf = (
  { services }: PlanState,
  { leftOut, hashedFields }: ConfiguredConnection,
  { streams }: ResolvedSource,
): FieldChoice => services.connections.readFields(streams, leftOut, hashedFields);

function problemOf(state: PlanState, entry: ConfiguredConnection, source: ResolvedSource): string | null {
  const unknown = entry.streams.filter((name) => !source.streams.some((stream) => stream.name === name));
  if (unknown.length > 0) return `The source has no stream ${unknown.join(', ')}`;
  return rejectionOf(() => fieldsOf(state, entry, source));
}

function planExisting(
  state: PlanState,
  label: Label,
  {
    entry,
    existing,
    ends,
    fields,
  }: { entry: ConfiguredConnection; existing: ExistingConnection; ends: Ends; fields: FieldChoice },
): void {
  const changes = differences(comparable(existing.entry), comparable(entry));
  if (changes.length === 0) return addStep(state, label, { action: 'unchanged' });
  const { id } = existing;
  addStep(state, { ...label, id }, { action: 'change', changes }, ({ actor, transaction, query }) =>
    state.services.connections.updateWithin(transaction, query, actor, toConnection(id, entry, ends, fields)),
  );
}

/** What an import changes of an existing connection. It never pauses or resumes one. */
const comparable = ({
  source: _,
  destination: __,
  name: ___,
  desired: ____,
  cursors: _____,
  ...settings
}: ConfiguredConnection) => ({
  ...settings,
  leftOut: sorted(settings.leftOut),
  hashedFields: sorted(settings.hashedFields),
  schedule: toSchedule(settings.schedule),
  freshnessTarget: settings.freshnessTarget ? toFreshnessTarget(settings.freshnessTarget) : null,
});

const sorted = (fields: ConfiguredConnection['leftOut']): ConfiguredConnection['leftOut'] =>
  fields
    .filter(({ columns }) => columns.length > 0)
    .map(({ stream, columns }) => ({ stream, columns: columns.toSorted(byText) }))
    .sort((left, right) => byText(left.stream, right.stream));

function planNew(
  state: PlanState,
  label: Label,
  { entry, id, ends, fields }: { entry: ConfiguredConnection; id: string; ends: Ends; fields: FieldChoice },
): void {
  const waitsFor = [
    ...(ends.source.app.isConnected ? [] : [ends.source.app.name]),
    ...(ends.destination.app.isConnected && !ends.destination.isLocked ? [] : [ends.destination.app.name]),
  ];
  const { ranges, days } = loadedBy(entry, ends.source);
  const tables = (entry.cursors?.places ?? [])
    .filter(({ stream }) => entry.streams.includes(stream))
    .map(({ stream, place, columns }) => ({ stream, place, columns: toColumns(columns) }));
  const isTaken = ranges.length > 0 && !appendOnlyProviders.all.includes(ends.destination.app.provider);
  const changes = [
    waitsFor.length > 0
      ? `Stays paused until ${waitsFor.join(' and ')} ${waitsFor.length === 1 ? 'is' : 'are'} connected`
      : entry.desired === 'active'
        ? 'Starts its first run'
        : 'Stays paused',
    isTaken
      ? `${days.toLocaleString('en')} account-days count as loaded if the destination is the same`
      : `Loads all days from ${dayText(entry.historyFrom)}`,
  ];
  const { connections } = state.services;
  addStep(state, { ...label, id }, { action: 'create', changes }, async ({ actor, transaction, query }) => {
    const isActive = entry.desired === 'active' && waitsFor.length === 0;
    const reason = entry.desired === 'active' ? ('import' as const) : ('user' as const);
    const first = isActive ? { desired: 'active' as const } : { desired: 'paused' as const, reason };
    await connections.createWithin(transaction, query, actor, toConnection(id, entry, ends, fields), first);
    if (isTaken) await takeOverDays(query, id, ranges, tables);
  });
}

const toConnection = (
  id: string,
  {
    source: _,
    destination: __,
    leftOut: ___,
    hashedFields: ____,
    desired: _____,
    cursors: ______,
    ...entry
  }: ConfiguredConnection,
  { source, destination }: Ends,
  fields: FieldChoice,
): ImportedConnection => ({ id, ...entry, ...fields, sourceId: source.id, destinationId: destination.id });

/** Only days of the history, the streams and the accounts of the connection, before today. */
function loadedBy(entry: ConfiguredConnection, { accountIds }: ResolvedSource): { ranges: LoadedRange[]; days: number } {
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const own = new Set(accountIds);
  const ranges = (entry.cursors?.loaded ?? [])
    .filter(({ stream }) => entry.streams.includes(stream))
    .flatMap(({ stream, accountIds: listed, days }) => {
      const known = listed.filter((id) => own.has(id));
      return days.flatMap((range): LoadedRange[] => {
        const [first = '', last = ''] = range.split('/');
        const [from, to] = [first < entry.historyFrom ? entry.historyFrom : first, last > yesterday ? yesterday : last];
        if (!isDay(first) || !isDay(last) || from > to) return [];
        return known.map((accountId) => ({ stream, accountId, from, to }));
      });
    });
  return { ranges, days: ranges.reduce((sum, { from, to }) => sum + listDays(from, to).length, 0) };
}

const toColumns = (columns: string[]): Record<string, string> =>
  Object.fromEntries(columns.map((text): [string, string] => [text.split(' ', 1)[0] ?? '', text.slice(text.indexOf(' ') + 1)]));
