import { conversionActionsOf } from '../google-ads/conversion-actions.ts';
import { accounts } from '../google-ads/accounts.ts';
import type { ConversionStore } from '../google-ads/conversion-store.ts';
import type { Revocations } from '../google-ads/revocations.ts';
import { htmlTable } from '../parameters.ts';
import type { Provider } from '../provider.ts';
import { adminRoutes } from './admin.ts';
import { dataManagerFaults } from './faults.ts';
import { dataManagerRoutes } from './routes.ts';
import { DataManagerState } from './state.ts';

/** Shares users, accounts, sign-in and conversions with Google Ads. */
export function dataManager(revocations: Revocations, conversions: ConversionStore): Provider {
  return {
    name: 'data-manager',
    title: 'Google Data Manager',
    faults: dataManagerFaults,
    open(parts) {
      const state = new DataManagerState(parts, revocations, conversions);
      return { routes: [...dataManagerRoutes(state), ...adminRoutes(state)], description };
    },
  };
}

const actions = [...accounts.values()].flatMap((account) =>
  conversionActionsOf(account).filter(({ ownerId, status }) => ownerId === account.id && status === 'ENABLED'),
);

const description = `<p><code>/data-manager/v1/events:ingest</code> · <code>/data-manager/v1/requestStatus:retrieve</code> · <code>/admin/data-manager/received</code> · <code>/admin/data-manager/clicks</code> · <code>/admin/data-manager/settings</code></p>
${htmlTable(
  'Conversion actions',
  actions.map(({ id, ownerId, name, type }) => [id, ownerId, `${name} (${type})`]),
)}`;
