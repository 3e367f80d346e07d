import type { Connectors } from '../../catalog/index.js';
import { breakdownsOf } from '../../connectors/kit/source-selection.js';
import { newId } from '../../core/database/identifiers.js';
import { importApp, saveSourceDefaults } from '../../apps/index.js';
import { accountOf, addCustomParts, errorsOfSchema, savePushSchema } from '../../custom-apps/index.js';
import { identityOf, numbered } from '../file/identities.js';
import type { ConfiguredApp } from '../file/parts.dto.js';
import type { ExistingApp } from '../file/read-configuration.js';
import { differences } from './differences.js';
import { addStep, type PlanState, type ResolvedApp, skip, type WriteContext } from './plan-state.js';
import { toJson } from '../../core/database/json-column.js';

const CONNECTED = ['connected', 'expiring'];
const NEEDS: Record<ConfiguredApp['authMode'], string> = {
  oauth2: 'Sign in at the app',
  api_key: 'Enter the key of the app',
  push_key: 'Create a key for the push endpoint',
  password: 'Enter the password in the settings of the destination',
  service_account: 'Enter the service account in the settings of the destination',
};

export function planApps(state: PlanState): void {
  const identity = numbered();
  let customApps = state.current.apps.filter(({ entry }) => entry.provider === 'custom').length;
  state.file.apps.forEach((entry, index) => {
    const own = identity(identityOf.app(entry));
    const existing = state.current.apps.find((app) => app.identity === own);
    const label = { kind: 'app' as const, place: `apps.${index}`, name: entry.name };
    const reason = problemOf(state.connectors, entry) ?? (existing ? null : setUpProblem(state.connectors, entry));
    if (existing) state.apps.set(entry.key, resolved(existing));
    if (reason) return skip(state, label, reason, existing !== undefined);
    if (existing) return planExisting(state, label, entry, existing);
    if (entry.provider === 'custom' && ++customApps > state.limits.customApps)
      return skip(state, label, `An organization can have at most ${state.limits.customApps} custom apps`, false);
    const id = newId();
    const { provider, name, authMode } = entry;
    const isConnected = false;
    state.apps.set(entry.key, {
      id,
      name,
      provider,
      identity: own,
      authMode,
      isConnected,
      accountIds: null,
      credentialTarget: null,
    });
    const needs = NEEDS[authMode];
    addStep(state, { ...label, id }, { action: 'create', needs, changes: ['Created without credentials'] }, (context) =>
      createApp(context, id, entry),
    );
  });
}

export const resolved = ({ id, identity, state, entry, accountIds: listed, credentialTarget }: ExistingApp): ResolvedApp => {
  const isConnected = CONNECTED.includes(state);
  const accountIds = isConnected ? new Set(listed) : null;
  const { name, provider, authMode } = entry;
  return { id, identity, name, provider, authMode, isConnected, credentialTarget, accountIds };
};

function planExisting(
  state: PlanState,
  label: { kind: 'app'; place: string; name: string },
  entry: ConfiguredApp,
  { id, state: appState, entry: before }: ExistingApp,
): void {
  const changes = differences(
    { sourceDefaults: before.sourceDefaults, push: before.push },
    { sourceDefaults: entry.sourceDefaults, push: entry.push },
  );
  const needs = CONNECTED.includes(appState) ? null : NEEDS[before.authMode];
  if (changes.length === 0) return addStep(state, label, { action: 'unchanged', needs });
  addStep(state, { ...label, id }, { action: 'change', needs, changes }, (context) => updateApp(context, id, entry));
}

function problemOf(connectors: Connectors, { provider, sourceDefaults, push }: ConfiguredApp): string | null {
  if (push && provider !== 'custom') return 'push is for custom apps only';
  if (push?.schema) {
    const [error] = errorsOfSchema(push.schema);
    if (error) return error.message;
  }
  const streams = connectors.findSource(provider)?.streams;
  if (!sourceDefaults || !streams) return null;
  const unknown = sourceDefaults.breakdowns.find((name) => !breakdownsOf(streams).includes(name));
  return unknown === undefined ? null : `${connectors.nameOf(provider)} has no breakdown ${unknown}`;
}

/** Whether users can connect such an app on this installation. */
function setUpProblem(connectors: Connectors, { provider, authMode }: ConfiguredApp): string | null {
  if (!connectors.isSetUp(provider)) return `${connectors.nameOf(provider)} is not set up on this installation`;
  const modes = connectors.getEntry(provider).credentials.map((kind) => kind.authMode);
  return modes.some((mode) => mode === authMode)
    ? null
    : `${connectors.nameOf(provider)} has no credentials of the kind ${authMode}`;
}

async function createApp({ actor, transaction }: WriteContext, id: string, entry: ConfiguredApp): Promise<void> {
  const { provider, name, authMode, accounts, sourceDefaults, push } = entry;
  const isCustom = provider === 'custom';
  const needsAccess = {
    state: 'needs_reauth' as const,
    needsReauthSince: new Date(),
    failure: { ...neverConnected(NEEDS[authMode]) },
  };
  await importApp(transaction, {
    ...{ id, organizationId: actor.organizationId, provider, displayName: name, authMode, createdBy: actor.uid },
    accounts: toJson(
      isCustom ? [accountOf(id, name)] : accounts.map((account) => ({ ...account, managerId: null, managerName: null })),
    ),
    ...(sourceDefaults && { sourceDefaults: { ...sourceDefaults } }),
    ...(isCustom ? {} : needsAccess),
  });
  if (!isCustom) return;
  await addCustomParts(transaction, actor, id);
  if (push) await savePushSchema(transaction, id, push);
}

async function updateApp({ transaction }: WriteContext, id: string, { sourceDefaults, push }: ConfiguredApp): Promise<void> {
  await saveSourceDefaults(transaction, id, sourceDefaults ?? null);
  if (push) await savePushSchema(transaction, id, push);
}

const neverConnected = (action: string) => ({
  class: 'auth',
  code: 'app.imported',
  message: 'It was imported without credentials.',
  action,
  providerRequestId: null,
});
