import type { FlowState } from '~/domain/navigation/flow-state';
import { paths } from '~/domain/navigation/paths';

interface BackLink {
  label: string;
  to: string;
}

/**
 * Where a failed sign-in leads back to: the flow that it was started in, the app or the list of apps. A connection reads ad platforms and
 * writes to BigQuery; a conversion reads BigQuery and sends to ad platforms.
 */
export function backLinkOf(
  organizationId: string,
  from: FlowState['storedFrom'],
  provider: string,
  appId: string | undefined,
): BackLink {
  const isWarehouse = provider === 'bigquery';
  if (from === 'connection') {
    const step = isWarehouse ? 'destination' : 'source';
    return { label: 'Back to the connection', to: paths.createConnection(organizationId, { step }) };
  }
  if (from === 'conversion') {
    const step = isWarehouse ? 'source' : 'destination';
    return { label: 'Back to the conversion', to: paths.createConversion(organizationId, { step }) };
  }
  return appId === undefined
    ? { label: 'Back to apps', to: paths.apps(organizationId) }
    : { label: 'Back to the app', to: paths.app(organizationId, appId) };
}
