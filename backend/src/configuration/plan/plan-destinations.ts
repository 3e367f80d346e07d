import { isDeepStrictEqual } from 'node:util';
import { newId } from '../../core/database/identifiers.js';
import { parseSettings } from '../../destinations/index.js';
import type { Prisma } from '../../generated/prisma/client.js';
import { identityOf, numbered } from '../file/identities.js';
import { differences } from './differences.js';
import { resolved } from './plan-apps.js';
import { addStep, type PlanState, rejectionOf, type ResolvedApp, skip } from './plan-state.js';

export function planDestinations(state: PlanState): void {
  const identity = numbered();
  state.file.destinations.forEach((entry, index) => {
    const label = { kind: 'destination' as const, place: `destinations.${index}`, name: entry.name };
    const app = state.apps.get(entry.app);
    if (!app) return skip(state, label, 'Its app is not imported', false);
    const own = identity(identityOf.destination(app.provider, entry.name));
    const existing = state.current.destinations.find((destination) => destination.identity === own);
    const used = existing ? (appOf(state, existing.appId) ?? app) : app;
    const connector = state.connectors.findDestination(app.provider);
    const reason = connector ? rejectionOf(() => parseSettings(connector, entry.settings)) : 'Its app is not a destination';
    if (existing) state.destinations.set(entry.key, { id: existing.id, identity: own, app: used, isLocked: false });
    if (reason || !connector) return skip(state, label, reason ?? '', existing !== undefined);
    const settings = parseSettings(connector, entry.settings);
    // Stored credentials are never sent to another server than the one that they were entered for.
    const isLocked =
      used.authMode !== 'oauth2' &&
      used.isConnected &&
      !isDeepStrictEqual(used.credentialTarget, connector.credentialTarget(settings));
    const needs = isLocked ? 'Enter the credentials again, because the server differs' : null;
    const id = existing?.id ?? newId();
    state.destinations.set(entry.key, { id, identity: own, app: used, isLocked });
    const columns = {
      settings: settings as Prisma.InputJsonObject,
      ...(isLocked && { state: 'needs_reauth' as const, failure: { ...otherServer } }),
    };
    if (!existing)
      return addStep(state, { ...label, id }, { action: 'create', needs }, async ({ actor, transaction }) => {
        const { organizationId, uid: createdBy } = actor;
        const destination = { ...columns, id, organizationId, appId: app.id, name: entry.name, createdBy };
        await state.services.destinations.importIn(transaction, destination);
      });
    const changes = differences(existing.entry.settings, settings);
    if (changes.length === 0) return addStep(state, label, { action: 'unchanged', needs });
    addStep(state, { ...label, id }, { action: 'change', needs, changes }, ({ actor, transaction, query }) =>
      state.services.destinations.updateImportedIn(transaction, query, actor, id, columns),
    );
  });
}

/** The app that a stored destination uses. The file need not contain it: it may have been renamed since. */
function appOf({ current }: PlanState, appId: string): ResolvedApp | null {
  const app = current.apps.find(({ id }) => id === appId);
  return app ? resolved(app) : null;
}

const otherServer = {
  class: 'auth',
  code: 'destination.credentials_required',
  message: 'The server was changed by an import. The saved credentials are only used for the server that they were saved for.',
  action: 'Enter the credentials again',
  providerRequestId: null,
};
