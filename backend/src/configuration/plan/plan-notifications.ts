import { assertEvents, importRule, MAX_ENDPOINTS, MAX_RULES, updateImportedRule } from '../../alerts/index.js';
import { newId } from '../../core/database/identifiers.js';
import { byText, identityOf, numbered } from '../file/identities.js';
import type { ConfiguredRule, ConfiguredWebhook } from '../file/parts.dto.js';
import { differences } from './differences.js';
import { addStep, type PlanState, rejectionOf, skip } from './plan-state.js';

export function planWebhooks(state: PlanState): void {
  const identity = numbered();
  let count = state.current.stored.webhooks;
  state.file.webhooks.forEach((entry, index) => {
    const label = { kind: 'webhook' as const, place: `webhooks.${index}`, name: entry.name };
    const { name, url, isEnabled } = entry;
    const own = identity(identityOf.webhook(url));
    const existing = state.current.webhooks.find((webhook) => webhook.identity === own);
    if (existing) {
      const { id } = existing;
      state.webhooks.set(entry.key, { id, identity: own });
      const changes = differences(shownOf(existing.entry), shownOf(entry));
      if (changes.length === 0) return addStep(state, label, { action: 'unchanged' });
      return addStep(state, { ...label, id }, { action: 'change', changes }, ({ actor, ...work }) =>
        state.services.webhooks.updateWithin(work, actor, { id, name, isEnabled }),
      );
    }
    const wrong = state.wrongUrls.get(url);
    if (wrong !== undefined) return skip(state, label, wrong, false);
    if (++count > MAX_ENDPOINTS) return skip(state, label, `An organization can have at most ${MAX_ENDPOINTS} webhooks`, false);
    const id = newId();
    state.webhooks.set(entry.key, { id, identity: own });
    const needs = 'Rotate its signing secret, and enter the new one at the receiver';
    addStep(state, { ...label, id }, { action: 'create', needs }, ({ actor, transaction }) =>
      state.services.webhooks.importWithin(transaction, actor, { id, name, url, isEnabled }),
    );
  });
}

const shownOf = ({ name, isEnabled }: ConfiguredWebhook) => ({ name, isEnabled });

export function planRules(state: PlanState): void {
  const identity = numbered();
  let count = state.current.stored.rules;
  state.file.notificationRules.forEach((entry, index) => {
    const { channel } = entry;
    const label = { kind: 'notification_rule' as const, place: `notificationRules.${index}`, name: nameOf(state, entry) };
    const webhook = entry.webhook === null ? null : state.webhooks.get(entry.webhook);
    if (webhook === undefined) return skip(state, label, 'Its webhook is not imported', false);
    if ((channel === 'webhook') !== (webhook !== null))
      return skip(state, label, 'webhook is for the channel webhook only', false);
    if ((channel === 'mail') !== entry.roles.length > 0) return skip(state, label, 'roles are for the channel mail only', false);
    const rejection = rejectionOf(() => assertEvents(channel, entry.events));
    if (rejection !== null) return skip(state, label, rejection, false);
    const own = identity(identityOf.rule(channel, webhook && webhook.identity));
    const existing = state.current.rules.find((rule) => rule.identity === own);
    const { includesRecovery, isEnabled } = entry;
    const columns = { events: entry.events.toSorted(byText), includesRecovery, roles: entry.roles.toSorted(byText), isEnabled };
    if (existing) {
      const { id, entry: before } = existing;
      const changes = differences(
        { events: before.events, includesRecovery: before.includesRecovery, roles: before.roles, isEnabled: before.isEnabled },
        columns,
      );
      if (changes.length === 0) return addStep(state, label, { action: 'unchanged' });
      return addStep(state, { ...label, id }, { action: 'change', changes }, ({ transaction }) =>
        updateImportedRule(transaction, id, columns),
      );
    }
    if (++count > MAX_RULES) return skip(state, label, `An organization can have at most ${MAX_RULES} notification rules`, false);
    const id = newId();
    addStep(state, { ...label, id }, { action: 'create' }, async ({ actor, transaction }) => {
      const { organizationId, uid: createdBy } = actor;
      const endpointId = webhook && webhook.id;
      await importRule(transaction, { ...columns, id, organizationId, channel, endpointId, createdBy });
    });
  });
}

const CHANNELS = { in_app: 'In the app', mail: 'Mail', webhook: 'Webhook' };

function nameOf({ file }: PlanState, { channel, roles, webhook }: ConfiguredRule): string {
  if (channel === 'mail') return `Mail to ${roles.join(', ')}`;
  const name = file.webhooks.find(({ key }) => key === webhook)?.name;
  return name === undefined ? CHANNELS[channel] : `Webhook ${name}`;
}
