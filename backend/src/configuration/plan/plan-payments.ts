import { dayText } from '../../connectors/kit/day-text.js';
import { newId } from '../../core/database/identifiers.js';
import { dayToDate } from '../../core/database/days.js';
import type { ConfiguredPayment } from '../file/flows.dto.js';
import { importPayment } from '../../payments/index.js';
import { byText, identityOf } from '../file/identities.js';
import { differences } from './differences.js';
import { addStep, type PlanState, type ResolvedApp, skip, type WriteContext } from './plan-state.js';
import { paymentProviders } from '../../connectors/registry.js';

export function planPayments(state: PlanState): void {
  const seen = new Set<string>();
  state.file.payments.forEach((entry, index) => {
    const label = { kind: 'payment' as const, place: `payments.${index}`, name: entry.name };
    const app = state.apps.get(entry.app);
    if (!app) return skip(state, label, 'Its app is not imported', false);
    if (!paymentProviders.all.includes(app.provider)) return skip(state, label, 'Its app has no payments', false);
    const own = identityOf.payment(app.identity);
    const existing = state.current.payments.find((payment) => payment.identity === own);
    if (seen.has(own)) return skip(state, label, 'Another payment of the file uses the app', false);
    seen.add(own);
    const destinationIds = entry.destinations.map((key) => state.destinations.get(key)?.id);
    if (destinationIds.length === 0) return skip(state, label, 'It has no destination', existing !== undefined);
    if (destinationIds.includes(undefined))
      return skip(state, label, 'A destination of it is not imported', existing !== undefined);
    const ids = destinationIds as string[];
    if (existing) {
      const before = comparable(existing.entry, idsOf(state, existing.entry));
      const changes = differences(before, comparable(entry, ids));
      if (changes.length === 0) return addStep(state, label, { action: 'unchanged' });
      // Its runs must stop before its settings change, so a transaction cannot do both.
      return skip(state, label, `It differs. Change it on its page: ${changes.join('; ')}`, true);
    }
    const rival = rivalOf(state, app, ids);
    if (rival !== null) return skip(state, label, `${rival} loads the same Stripe account into one of its destinations`, false);
    const id = newId();
    const needs = 'Enter the signing secret of its webhook';
    const changes = ['Stays paused until you resume it', `Loads all days from ${dayText(entry.historyFrom)}`];
    addStep(state, { ...label, id }, { action: 'create', needs, changes }, (context) =>
      createPayment(state, context, { id, entry, app, destinationIds: ids }),
    );
  });
}

const idsOf = ({ current }: PlanState, { destinations }: ConfiguredPayment): string[] =>
  destinations.map((key) => current.destinations.find(({ entry }) => entry.key === key)?.id ?? '');

const comparable = ({ destinations: _, app: __, ...settings }: ConfiguredPayment, destinationIds: string[]) => ({
  ...settings,
  events: settings.events.toSorted(byText),
  destinations: destinationIds.toSorted(byText),
});

/** Another payment whose rows these would replace. */
function rivalOf({ current }: PlanState, { accountIds }: ResolvedApp, destinationIds: string[]): string | null {
  const rival = current.payments.find(({ entry }) => {
    const app = current.apps.find((one) => one.entry.key === entry.app);
    const isSame = app?.accountIds.some((account) => accountIds?.has(account)) ?? false;
    return (
      isSame &&
      current.destinations.some(({ id, entry: { key } }) => entry.destinations.includes(key) && destinationIds.includes(id))
    );
  });
  return rival?.entry.name ?? null;
}

async function createPayment(
  { services }: PlanState,
  { actor: { organizationId, uid }, transaction }: WriteContext,
  { id, entry, app, destinationIds }: { id: string; entry: ConfiguredPayment; app: ResolvedApp; destinationIds: string[] },
): Promise<void> {
  const { name, events, customerIdType, amountMode, historyFrom } = entry;
  const sourceId = newId();
  const accounts = await transaction.app.findFirstOrThrow({ where: { id: app.id }, select: { accounts: true } });
  const accountIds = (accounts.accounts as { externalId: string }[]).map(({ externalId }) => externalId);
  const source = { id: sourceId, organizationId, appId: app.id, name, createdBy: uid };
  await services.sources.saveOfPayment(transaction, source, accountIds, { events, customerIdType, amountMode });
  await importPayment(transaction, {
    ...{ id, organizationId, appId: app.id, sourceId, name, events, customerIdType, amountMode, createdBy: uid },
    historyFrom: dayToDate(historyFrom),
  });
  const load = { paymentId: id, sourceId, name, historyFrom, createdBy: uid };
  await services.paymentConnections.saveWithin(transaction, organizationId, load, destinationIds);
  await services.paymentConnections.pauseWithin(transaction, id, uid);
}
