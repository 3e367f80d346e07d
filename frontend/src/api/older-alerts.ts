import { listAlerts } from './alerts';
import { keys } from './http/keys';
import { useOlderPages } from './http/use-older-pages';
import type { AlertPage, AlertState } from './types';

/** All loaded alerts of a state. `useAlerts` refreshes the first page. */
export const useOlderAlerts = (organizationId: string, state: AlertState, first: AlertPage | undefined) =>
  useOlderPages({
    // A change of the alerts also loads the shown older pages again.
    key: keys.alerts(organizationId, { state, isOlder: true }),
    first,
    load: (cursor) => listAlerts(organizationId, { state, cursor }),
    idOf: ({ id }) => id,
  });
