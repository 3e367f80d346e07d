import { useApps } from '~/api/apps';
import type { App } from '~/api/types';
import { isAdPlatform, providerWords } from '~/domain/accounts/providers';
import { writeFlowState } from '~/domain/navigation/flow-state';
import { paths } from '~/domain/navigation/paths';
import { useOrganizationId } from '~/session/organization-context';
import { conversionDestinations } from './conversion-items';
import { PickerPage } from './PickerPage';
import { ChooseLink } from './PickList';
import { useCatalogLines } from './use-picker-lines';

/** Connected ad platforms first, then those that can be connected. */
export function ConversionDestinationPicker() {
  const organizationId = useOrganizationId();
  const apps = useApps(organizationId);
  const catalog = useCatalogLines({
    role: 'source',
    from: 'conversion',
    returnTo: paths.addConversionDestination(),
    formPath: () => null,
  });
  const toLine = (app: App) => ({
    id: app.id,
    provider: app.provider,
    name: app.displayName,
    detail: `${providerWords(app.provider).name}${app.externalUser ? `, ${app.externalUser}` : ''}`,
    action: (
      <ChooseLink
        to={paths.createConversion(organizationId, { step: 'destination', destination: app.id })}
        name={app.displayName}
        onChoose={() => writeFlowState({ storedFrom: 'conversion', storedType: app.provider })}
      />
    ),
  });
  return (
    <PickerPage
      title="Add conversion destination"
      home={{ label: 'Conversions', to: paths.conversions(organizationId) }}
      existing={{
        title: 'Your ad platforms',
        none: 'No apps yet.',
        lines: apps.data && conversionDestinations(apps.data.items).map(toLine),
      }}
      catalog={{ title: 'New app', lines: catalog.lines?.filter(({ provider }) => isAdPlatform(provider)) }}
      askFor="the ad account"
      error={apps.error ?? catalog.error}
      onRetry={() => void Promise.all([apps.mutate(), catalog.retry()])}
    />
  );
}
