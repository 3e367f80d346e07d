import { useLocation } from 'react-router-dom';
import { useApps } from '~/api/apps';
import type { App } from '~/api/types';
import { writeFlowState } from '~/domain/navigation/flow-state';
import { newDestinationStep } from '~/domain/navigation/flow-steps';
import { paths, patterns } from '~/domain/navigation/paths';
import { providerWords } from '~/domain/accounts/providers';
import { useOrganizationId } from '~/session/organization-context';
import { appsFor } from './conversion-items';
import { PickerPage } from './PickerPage';
import { ChooseLink } from './PickList';
import { useCatalogLines } from './use-picker-lines';

const words = {
  source: { title: 'Add conversion source', own: 'Your event sources', askFor: 'the events' },
  destination: { title: 'Add conversion destination', own: 'Your ad platforms', askFor: 'the ad account' },
};

/** `/addConversionSource` and `/addConversionDestination`: selection of the source or destination of conversions. */
export default function ConversionPickerPage() {
  const organizationId = useOrganizationId();
  const { pathname } = useLocation();
  const side = pathname === patterns.addConversionDestination ? 'destination' : 'source';
  const apps = useApps(organizationId);
  // Conversions read from destinations of connections and write to ad platforms.
  const catalog = useCatalogLines({
    role: side === 'source' ? 'destination' : 'source',
    from: 'conversion',
    returnTo: pathname,
    formPath: (provider) => (side === 'source' ? newDestinationStep(organizationId, null, provider) : null),
  });
  const toLine = (app: App) => ({
    id: app.id,
    provider: app.provider,
    name: app.displayName,
    detail: `${providerWords(app.provider).name}${app.externalUser ? `, ${app.externalUser}` : ''}`,
    action: (
      <ChooseLink
        to={paths.createConversion(organizationId)}
        name={app.displayName}
        onChoose={() =>
          writeFlowState({
            storedFrom: 'conversion',
            storedType: app.provider,
            ...(side === 'source' ? { sourceKey: app.id } : {}),
          })
        }
      />
    ),
  });
  const { title, own, askFor } = words[side];
  return (
    <PickerPage
      title={title}
      home={{ label: 'Conversions', to: paths.conversions(organizationId) }}
      existing={{ title: own, none: 'No apps yet.', lines: apps.data && appsFor(side, apps.data.items).map(toLine) }}
      catalog={{ title: 'New app', lines: catalog.lines }}
      askFor={askFor}
      error={apps.error ?? catalog.error}
      onRetry={() => void Promise.all([apps.mutate(), catalog.retry()])}
    />
  );
}
