import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import useSWR from 'swr';
import { useApps } from '../../api/apps';
import { authorizeApp } from '../../api/authorize-app';
import { loadConfig } from '../../api/config';
import { useSources } from '../../api/sources';
import type { App, Source } from '../../api/types';
import { writeFlowState } from '../../lib/flow-state';
import { plural } from '../../lib/numbers';
import { paths } from '../../lib/paths';
import { useOrganizationId, useRoleGate } from '../../session/organization-context';
import { TableBones } from '../../ui/Bone';
import { ChoiceList } from '../../ui/ChoiceList';
import { ErrorNotice } from '../../ui/ErrorNotice';
import { icon } from '../../ui/icon';
import { Section } from '../../ui/Page';
import { providerName, ProviderMark } from '../../ui/ProviderMark';
import { toast } from '../../ui/toast';
import styles from './Steps.module.css';
import type { StepProps } from './step-props';
import { WizardFooter } from './WizardFooter';

const stateWords: Record<Source['state'], string | undefined> = {
  ready: undefined,
  needs_reauth: 'Reconnect needed',
  needs_attention: 'Needs attention',
  disabled: 'Switched off',
};

const detailOf = ({ appName, accounts }: Source): string =>
  `${appName}, ${plural(accounts.length, 'account')}: ${accounts.map(({ name }) => name).join(', ')}`;

function ConnectGoogleAds({ apps, hasSources }: { apps: App[]; hasSources: boolean }) {
  const organizationId = useOrganizationId();
  const closedBecause = useRoleGate('manageApps');
  const { data: config } = useSWR('config', loadConfig, { revalidateOnFocus: false });
  const [isLeaving, setLeaving] = useState(false);
  const connected = apps.filter(
    (app) => app.provider === 'google_ads' && (app.state === 'connected' || app.state === 'expiring'),
  );
  const leave = async () => {
    setLeaving(true);
    writeFlowState({ storedFrom: 'connection', storedType: 'google_ads' });
    await authorizeApp(organizationId, apps, paths.createConnection(organizationId, { step: 'source' })).catch(
      (error: unknown) => {
        setLeaving(false);
        toast.failed(error);
      },
    );
  };
  return (
    <Section title={hasSources ? 'Or a new source' : 'New source'}>
      <ul className={styles.options}>
        {connected.map((app) => (
          <li key={app.id}>
            <ProviderMark provider={app.provider} size="lg" />
            <span className={styles.text}>
              <span className="strong">{app.displayName}</span>
              <span className="label">
                {app.externalUser ?? 'Connected'}, {plural(app.accounts.length, 'account')}
              </span>
            </span>
            <Button variant="default" component={Link} to={paths.googleAds(organizationId, { app: app.id })}>
              Choose accounts
            </Button>
          </li>
        ))}
        <li>
          <ProviderMark provider="google_ads" size="lg" />
          <span className={styles.text}>
            <span className="strong">Google Ads</span>
            <span className="label">
              {config?.isDemo
                ? 'Sample data: the sandbox’s consent page stands in for Google’s.'
                : 'Sign in with Google, and choose which accounts to read. Reports only; nothing is changed.'}
            </span>
          </span>
          {closedBecause ? (
            <span className="label">{closedBecause}</span>
          ) : (
            <Button
              variant={hasSources || connected.length > 0 ? 'default' : 'filled'}
              leftSection={<IconPlus {...icon} />}
              loading={isLeaving}
              onClick={() => void leave()}
            >
              Connect Google Ads
            </Button>
          )}
        </li>
      </ul>
    </Section>
  );
}

export function SourceStep({ draft, onChange, onGo, onStartOver }: StepProps) {
  const organizationId = useOrganizationId();
  const sources = useSources(organizationId);
  const apps = useApps(organizationId);
  const items = sources.data?.items ?? [];
  const chosen = items.find(({ id }) => id === draft.sourceId);
  const error: unknown = sources.error ?? apps.error;
  return (
    <>
      {error !== undefined && (
        <ErrorNotice
          error={error}
          title="Sources could not be fetched"
          onRetry={() => void Promise.all([sources.mutate(), apps.mutate()])}
        />
      )}
      {(!sources.data || !apps.data) && error === undefined && (
        <TableBones label="Loading sources" rows={3} widths={[20, '60%', 120]} />
      )}
      {items.length > 0 && (
        <Section title="Source" aside="Which accounts to read">
          <ChoiceList
            label="Source"
            name="source"
            value={chosen?.id ?? null}
            onChange={(sourceId) => onChange({ sourceId })}
            choices={items.map((source) => ({
              id: source.id,
              mark: <ProviderMark provider={source.provider} />,
              title: source.name,
              detail: detailOf(source),
              aside: stateWords[source.state] ?? providerName(source.provider),
              isClosed: source.state === 'disabled',
            }))}
          />
        </Section>
      )}
      {apps.data && sources.data && <ConnectGoogleAds apps={apps.data.items} hasSources={items.length > 0} />}
      <WizardFooter
        savedAt={draft.savedAt}
        onStartOver={draft.savedAt ? onStartOver : undefined}
        onNext={() => onGo('destination')}
        nextLabel="Destination"
        closedBecause={chosen ? null : 'Choose a source'}
      />
    </>
  );
}
