import { dayText } from '../../connectors/kit/day-text.js';
import type { ProviderName } from '../../connectors/kit/contract.js';
import type { ConversionRulesBody } from '../../conversions/index.js';
import { newId } from '../../core/database/identifiers.js';
import type { ConfiguredConversion } from '../file/flows.dto.js';
import { identityOf, numbered } from '../file/identities.js';
import { differences } from './differences.js';
import { addStep, type PlanState, rejectionOf, type ResolvedApp, skip } from './plan-state.js';

interface Parts {
  sourceApp: ResolvedApp | null;
  sourceDestinationId: string | null;
  sourceProvider: ProviderName;
  target: ResolvedApp;
}

export function planConversions(state: PlanState): void {
  const identity = numbered();
  const { conversions } = state.services;
  const currentState = { ...state, ...currentParts(state) };
  state.file.conversions.forEach((entry, index) => {
    const label = { kind: 'conversion' as const, place: `conversions.${index}`, name: entry.name };
    const own = identity(identityOf.conversion(entry.name));
    const existing = state.current.conversions.find((conversion) => conversion.identity === own);
    const parts = partsOf(state, entry);
    if (typeof parts === 'string') return skip(state, label, parts, existing !== undefined);
    const rules = rulesOf(entry, parts);
    const providers = { source: parts.sourceProvider, target: parts.target.provider };
    const reason = conversions.canRead(providers.source, parts.sourceDestinationId !== null)
      ? rejectionOf(() => conversions.toSettings(providers, rules))
      : 'Events cannot be read from its source';
    if (reason) return skip(state, label, reason, existing !== undefined);
    const id = existing?.id ?? newId();
    const saved = { id, name: entry.name, rules, schedule: entry.schedule, since: entry.since };
    if (!existing) {
      const since = dayText(new Date(entry.since).toISOString().slice(0, 10));
      const changes = ['Stays paused until you resume it, so that no event is sent twice', `Reads events from ${since}`];
      return addStep(state, { ...label, id }, { action: 'create', changes }, ({ actor, transaction }) =>
        conversions.createWithin(transaction, actor, providers.target, saved),
      );
    }
    const before = partsOf(currentState, existing.entry);
    const { targetSettings, mapping, testCode } = conversions.toSettings(providers, rules);
    const wanted = { ...entry, mapping, testCode, target: { ...entry.target, settings: targetSettings } };
    const changes = differences(comparable(existing.entry, before), comparable(wanted, parts));
    if (changes.length === 0) return addStep(state, label, { action: 'unchanged' });
    addStep(state, { ...label, id }, { action: 'change', changes }, ({ actor, ...work }) =>
      conversions.updateWithin(work, actor, providers.target, saved),
    );
  });
}

type Lookup = Pick<PlanState, 'apps' | 'destinations'>;

/** A text: the reason why a part is missing. */
function partsOf({ apps, destinations }: Lookup, { source, target }: ConfiguredConversion): Parts | string {
  const targetApp = apps.get(target.app);
  if (!targetApp) return 'The app of its target is not imported';
  if ((source.app === null) === (source.destination === null)) return 'source must have either an app or a destination';
  const sourceApp = source.app === null ? null : (apps.get(source.app) ?? null);
  const destination = source.destination === null ? null : (destinations.get(source.destination) ?? null);
  const provider = sourceApp?.provider ?? destination?.app.provider;
  if (!provider) return 'Its source is not imported';
  return { sourceApp, sourceDestinationId: destination?.id ?? null, sourceProvider: provider, target: targetApp };
}

/** The keys of existing entries are not those of the file. */
function currentParts({ current, apps, destinations }: PlanState): Lookup {
  const app = new Map([...apps.values()].map((one) => [one.id, one]));
  const destination = new Map([...destinations.values()].map((one) => [one.id, one]));
  const entriesOf = <Item>(list: { id: string; entry: { key: string } }[], known: Map<string, Item>): Map<string, Item> =>
    new Map(list.flatMap(({ id, entry }) => (known.has(id) ? [[entry.key, known.get(id) as Item] as const] : [])));
  return { apps: entriesOf(current.apps, app), destinations: entriesOf(current.destinations, destination) };
}

const comparable = ({ name: _, source, target, since: __, ...rules }: ConfiguredConversion, parts: Parts | string) => ({
  ...rules,
  source: typeof parts === 'string' ? null : [parts.sourceApp?.identity ?? null, parts.sourceDestinationId],
  sourceSettings: source.settings,
  target: typeof parts === 'string' ? null : parts.target.name,
  ...{ targetAccountId: target.accountId, targetName: target.name, targetSettings: target.settings },
});

const rulesOf = ({ source, target, ...rules }: ConfiguredConversion, parts: Parts): ConversionRulesBody => ({
  ...rules,
  source: {
    ...(parts.sourceApp && { appId: parts.sourceApp.id }),
    ...(parts.sourceDestinationId !== null && { destinationId: parts.sourceDestinationId }),
    settings: source.settings,
  },
  target: { appId: parts.target.id, accountId: target.accountId, name: target.name, settings: target.settings },
});
