import { useApps } from '~/api/apps';
import { useConversions } from '~/api/conversions/conversions';
import { useDestinations } from '~/api/destinations';
import { usePayments } from '~/api/payments/payments';
import { useSources } from '~/api/sources';
import type { Connection } from '~/api/types';
import { paths } from '~/domain/navigation/paths';
import { useOrganizationId } from '~/session/organization-context';
import { providerName, ProviderMark } from '~/components/status/ProviderMark';
import { HealthStatus } from '~/components/status/Status';
import type { Command } from './command';

const toConnectionCommand =
  (organizationId: string) =>
  ({ id, name, source, destination, health }: Connection): Command => ({
    id,
    group: 'Connections',
    label: name,
    keywords: `connection ${providerName(source.provider)} ${providerName(destination.provider)}`,
    mark: <ProviderMark provider={source.provider} />,
    hint: `${providerName(source.provider)} to ${providerName(destination.provider)}`,
    aside: <HealthStatus health={health} />,
    to: paths.connection(organizationId, id),
  });

function useSetUpCommands(organizationId: string): Command[] {
  const apps = useApps(organizationId).data?.items ?? [];
  const sources = useSources(organizationId).data?.items ?? [];
  const destinations = useDestinations(organizationId).data?.items ?? [];
  return [
    ...apps.map(({ id, displayName, provider, externalUser }): Command => ({
      id,
      group: 'Apps',
      label: displayName,
      keywords: `app ${providerName(provider)} ${externalUser ?? ''}`,
      mark: <ProviderMark provider={provider} />,
      hint: externalUser ?? undefined,
      isOnlyFound: true,
      to: paths.app(organizationId, id),
    })),
    ...sources.map(({ id, name, provider, accounts }): Command => ({
      id,
      group: 'Sources',
      label: name,
      keywords: `source ${providerName(provider)} ${accounts.map((account) => `${account.name} ${account.externalId}`).join(' ')}`,
      mark: <ProviderMark provider={provider} />,
      hint: providerName(provider),
      isOnlyFound: true,
      to: paths.source(organizationId, id, provider),
    })),
    ...destinations.map(({ id, name, provider, target }): Command => ({
      id,
      group: 'Destinations',
      label: name,
      keywords: `destination ${providerName(provider)} ${target}`,
      mark: <ProviderMark provider={provider} />,
      hint: target,
      isOnlyFound: true,
      to: paths.destination(organizationId, id),
    })),
  ];
}

/** Every object of the organization, as a link to its page. */
export function useObjectCommands(connections: Connection[]): Command[] {
  const organizationId = useOrganizationId();
  const conversions = useConversions(organizationId).data?.items ?? [];
  const payments = usePayments(organizationId).data?.items ?? [];
  const setUp = useSetUpCommands(organizationId);
  return [
    ...connections.map(toConnectionCommand(organizationId)),
    ...conversions.map(({ id, name, target }): Command => ({
      id,
      group: 'Conversions',
      label: name,
      keywords: `conversion ${providerName(target.provider)}`,
      mark: <ProviderMark provider={target.provider} />,
      isOnlyFound: true,
      to: paths.conversion(organizationId, id),
    })),
    ...payments.map(({ id, name }): Command => ({
      id,
      group: 'Payments',
      label: name,
      keywords: 'payment Stripe',
      mark: <ProviderMark provider="stripe" />,
      isOnlyFound: true,
      to: paths.payment(organizationId, id),
    })),
    ...setUp,
  ];
}
