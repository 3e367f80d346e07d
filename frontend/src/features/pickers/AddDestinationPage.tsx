import { useDestinations } from '~/api/destinations';
import type { Destination } from '~/api/types';
import { readFlowState, writeFlowState } from '~/domain/navigation/flow-state';
import { afterDestination, newDestinationStep } from '~/domain/navigation/flow-steps';
import { paths } from '~/domain/navigation/paths';
import { useOrganizationId } from '~/session/organization-context';
import { PickerPage } from './PickerPage';
import { ChooseLink } from './PickList';
import { useCatalogLines } from './use-picker-lines';

export default function AddDestinationPage() {
  const organizationId = useOrganizationId();
  const destinations = useDestinations(organizationId);
  const { storedFrom } = readFlowState();
  const catalog = useCatalogLines({
    role: 'destination',
    from: storedFrom ?? 'app',
    returnTo: paths.addDestination(),
    formPath: (provider) => newDestinationStep(organizationId, storedFrom, provider),
  });
  const toLine = (destination: Destination) => ({
    id: destination.id,
    provider: destination.provider,
    name: destination.name,
    detail: `${destination.target}, by ${destination.appName}`,
    action: (
      <ChooseLink
        to={afterDestination(organizationId, storedFrom, destination.id)}
        name={destination.name}
        onChoose={() => writeFlowState({ storedType: destination.provider })}
      />
    ),
  });
  return (
    <PickerPage
      title="Add destination"
      home={{ label: 'Destinations', to: paths.destinations(organizationId) }}
      existing={{ title: 'Your destinations', none: 'No destinations yet.', lines: destinations.data?.items.map(toLine) }}
      catalog={{ title: 'New destination', lines: catalog.lines }}
      askFor="the warehouse"
      error={destinations.error ?? catalog.error}
      onRetry={() => void Promise.all([destinations.mutate(), catalog.retry()])}
    />
  );
}
