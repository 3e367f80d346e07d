import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { useApps } from '~/api/apps';
import { useSources } from '~/api/sources';
import type { App, Source } from '~/api/types';
import { type FlowState, readFlowState, writeFlowState } from '~/domain/navigation/flow-state';
import { afterSource } from '~/domain/navigation/flow-steps';
import { plural } from '~/lib/numbers';
import { paths } from '~/domain/navigation/paths';
import { hasAccountsToChoose } from '~/domain/accounts/providers';
import { useOrganizationId } from '~/session/organization-context';
import { UseEventsButton, withPushKey } from '~/components/source-form/UseEventsButton';
import { PickerPage } from './PickerPage';
import { ChooseLink, type PickLine } from './PickList';
import { useCatalogLines } from './use-picker-lines';

/** Apps of platforms with working access. */
const withAccess = (apps: App[]): App[] =>
  apps.filter(({ provider, state }) => hasAccountsToChoose(provider) && (state === 'connected' || state === 'expiring'));

const customAppLine = (app: App, from: FlowState['storedFrom']): PickLine => ({
  id: app.id,
  provider: app.provider,
  name: app.displayName,
  detail: 'Pushed events, as a table of their own',
  action: <UseEventsButton app={app} from={from} />,
});

export default function AddSourcePage() {
  const organizationId = useOrganizationId();
  const sources = useSources(organizationId);
  const from = readFlowState().storedFrom ?? 'app';
  const apps = useApps(organizationId);
  const catalog = useCatalogLines({ role: 'source', from, returnTo: paths.addSource(), formPath: () => null });
  const ofApp = (app: App) => ({
    id: app.id,
    provider: app.provider,
    name: app.displayName,
    detail: `${app.externalUser ?? 'Connected'}, ${plural(app.accounts.length, 'account')}`,
    action: (
      <Button
        variant="default"
        component={Link}
        to={paths.landing(organizationId, app.provider, { app: app.id })}
        onClick={() => writeFlowState({ storedFrom: from, storedType: app.provider })}
      >
        Select accounts
      </Button>
    ),
  });
  const connectable = apps.data &&
    catalog.lines && [
      ...withAccess(apps.data.items).map(ofApp),
      ...withPushKey(apps.data.items).map((app) => customAppLine(app, from)),
      ...catalog.lines,
    ];
  const toLine = (source: Source) => ({
    id: source.id,
    provider: source.provider,
    name: source.name,
    detail: `${source.appName}, ${plural(source.accounts.length, 'account')}`,
    action: (
      <ChooseLink
        to={afterSource(organizationId, from, source)}
        name={source.name}
        onChoose={() => writeFlowState({ storedType: source.provider, sourceKey: source.id })}
      />
    ),
  });
  return (
    <PickerPage
      title="Add source"
      home={{ label: 'Sources', to: paths.sources(organizationId) }}
      existing={{ title: 'Your sources', none: 'No sources yet.', lines: sources.data?.items.map(toLine) }}
      catalog={{
        title: 'New source',
        lines: connectable,
      }}
      askFor="the ad accounts"
      error={sources.error ?? apps.error ?? catalog.error}
      onRetry={() => void Promise.all([sources.mutate(), apps.mutate(), catalog.retry()])}
    />
  );
}
