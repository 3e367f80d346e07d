import { offeredStreams, type SourceSelection } from '../../connectors/kit/source-selection.js';
import { paymentProviders } from '../../connectors/registry.js';
import { newId } from '../../core/database/identifiers.js';
import { importSource, parseSourceSettings } from '../../sources/index.js';
import { byText, identityOf, numbered } from '../file/identities.js';
import type { ConfiguredSource } from '../file/parts.dto.js';
import { OWN_ACCOUNT } from '../file/read-configuration.js';
import { differences } from './differences.js';
import { addStep, type PlanState, rejectionOf, type ResolvedApp, skip } from './plan-state.js';
import { toJson } from '../../core/database/json-column.js';

export function planSources(state: PlanState): void {
  const identity = numbered();
  state.file.sources.forEach((entry, index) => {
    const label = { kind: 'source' as const, place: `sources.${index}`, name: entry.name };
    const app = state.apps.get(entry.app);
    if (!app) return skip(state, label, 'Its app is not imported', false);
    const own = identity(identityOf.source(app.identity, entry.name));
    const existing = state.current.sources.find((source) => source.identity === own);
    const accountIds = app.provider === 'custom' ? [app.id] : entry.accountIds.toSorted(byText);
    const skipSource = (reason: string) => {
      // Connections of the file can still use the source as it is.
      if (existing) resolve(state, app, { id: existing.id, identity: own, entry: { ...existing.entry, key: entry.key } });
      skip(state, label, reason, existing !== undefined);
    };
    const reason = sourceProblem(state, app, entry, accountIds);
    if (reason) return skipSource(reason);
    const settings = selectionOf(state, app, entry);
    const id = existing?.id ?? newId();
    resolve(state, app, { id, identity: own, entry: { ...entry, settings } });
    const columns = { name: entry.name, accountIds, settings: toJson(settings) };
    if (!existing)
      return addStep(state, { ...label, id }, { action: 'create' }, async ({ actor, transaction }) => {
        const { organizationId, uid: createdBy } = actor;
        await importSource(transaction, { ...columns, id, organizationId, appId: app.id, createdBy });
      });
    const after = { accountIds: app.provider === 'custom' ? [OWN_ACCOUNT] : accountIds, settings };
    const changes = differences({ accountIds: existing.entry.accountIds, settings: existing.entry.settings }, after);
    if (changes.length === 0) return addStep(state, label, { action: 'unchanged' });
    const missed = missedStreams(state, existing.id, settings);
    if (missed) return skipSource(missed);
    addStep(state, { ...label, id }, { action: 'change', changes }, ({ actor, ...work }) =>
      state.services.sources.updateImportedIn(work, actor, id, columns),
    );
  });
}

function resolve(
  state: PlanState,
  app: ResolvedApp,
  { id, identity, entry }: { id: string; identity: string; entry: ConfiguredSource },
): void {
  const all = state.connectors.findSource(app.provider)?.streams ?? [];
  const streams = offeredStreams(all, entry.settings as SourceSelection);
  const accountIds = app.provider === 'custom' ? [app.id] : entry.accountIds;
  state.sources.set(entry.key, { id, identity, app, streams, accountIds });
}

const selectionOf = ({ connectors }: PlanState, { provider }: ResolvedApp, { settings }: ConfiguredSource): SourceSelection => {
  const parsed = parseSourceSettings(connectors.getSource(provider), settings);
  return { ...parsed, breakdowns: parsed.breakdowns.toSorted(byText) };
};

function sourceProblem(state: PlanState, app: ResolvedApp, entry: ConfiguredSource, accountIds: string[]): string | null {
  if (paymentProviders.all.includes(app.provider) || !state.connectors.findSource(app.provider)) return 'Its app is not a source';
  const unknown = app.accountIds && accountIds.filter((id) => !app.accountIds?.has(id));
  if (unknown && unknown.length > 0) return `${app.name} has no access to ${unknown.slice(0, 10).join(', ')}`;
  return rejectionOf(() => selectionOf(state, app, entry));
}

/** Existing connections that would silently continue without a stream. */
function missedStreams({ current, connectors }: PlanState, sourceId: string, settings: SourceSelection): string | null {
  const source = current.sources.find(({ id }) => id === sourceId);
  const app = current.apps.find(({ entry }) => entry.key === source?.entry.app);
  const offered = offeredStreams(app ? (connectors.findSource(app.entry.provider)?.streams ?? []) : [], settings);
  const missed = current.connections
    .filter((connection) => connection.sourceId === sourceId)
    .find(({ entry }) => entry.streams.some((name) => !offered.some((stream) => stream.name === name)));
  return missed ? `${missed.entry.name} reads streams that the source would no longer provide` : null;
}
