import type { Conversion } from '~/api/types';
import { providerName } from '~/components/status/ProviderMark';
import { paths } from '~/domain/navigation/paths';

/** Where the credentials of the failed end are replaced, or its access is restored. */
export function accessLinkOf(organizationId: string, { source, target, failedSide }: Conversion): { to: string; label: string } {
  const label = `Open ${source.name}`;
  if (failedSide === 'source' && source.destinationId !== null)
    return { to: paths.destination(organizationId, source.destinationId), label };
  if (failedSide === 'source' && source.appId !== null) return { to: paths.app(organizationId, source.appId), label };
  return { to: paths.app(organizationId, target.appId), label: `Reconnect with ${providerName(target.provider)}` };
}
