import type { Connection } from '~/api/types';
import { providerName } from '~/components/status/ProviderMark';
import { paths } from '~/domain/navigation/paths';

interface RepairPage {
  label: string;
  to: string;
}

type Ends = Pick<Connection, 'source' | 'destination' | 'endedAccess' | 'failure'>;

const signInPage = (organizationId: string, { source }: Ends): RepairPage => ({
  label: `Reconnect with ${providerName(source.provider)}`,
  to: paths.app(organizationId, source.appId),
});

const destinationPage = (organizationId: string, { destination }: Ends, label: string): RepairPage => ({
  label,
  to: paths.destination(organizationId, destination.id),
});

/** Where the access that has ended is restored. The page of a destination offers both new credentials and a new sign-in. */
export const reconnectPage = (organizationId: string, connection: Ends): RepairPage =>
  connection.endedAccess === 'destination'
    ? destinationPage(organizationId, connection, connection.failure?.action ?? 'Open destination')
    : signInPage(organizationId, connection);

/**
 * Whether the destination caused the failure: the code of a connector begins with the name of its provider. Only hosts of destinations
 * are entered by users, and so may be forbidden (`egress`).
 */
const isOfDestination = ({ destination, failure }: Ends): boolean =>
  [`${destination.provider}.`, 'egress.'].some((prefix) => failure?.code.startsWith(prefix));

/** The page on which the failure is fixed. Null if a new run fixes it. */
export function repairPage(organizationId: string, connection: Ends): RepairPage | null {
  const { source, failure } = connection;
  switch (failure?.class) {
    case 'auth':
    case 'permission':
      return isOfDestination(connection)
        ? destinationPage(organizationId, connection, 'Check destination')
        : signInPage(organizationId, connection);
    case 'destination':
      // Lost rows are read and written again by the next run: nothing has to be changed at the destination.
      return failure.code === 'sync.mismatch' ? null : destinationPage(organizationId, connection, 'Check destination');
    case 'config':
      return isOfDestination(connection)
        ? destinationPage(organizationId, connection, 'Check destination')
        : { label: 'Open source', to: paths.source(organizationId, source.id, source.provider) };
    default:
      return null;
  }
}
