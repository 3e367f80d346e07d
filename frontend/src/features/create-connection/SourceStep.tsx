import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import useSWR from 'swr';
import { useApps } from '~/api/apps';
import { useCatalog } from '~/api/catalog';
import type { SignInProvider } from '~/api/authorize-app';
import { loadConfig } from '~/api/http/config';
import { ConnectKey } from '~/components/key-form/ConnectKey';
import { SignInButton } from '~/components/sign-in/SignInButton';
import { useSources } from '~/api/sources';
import { UseEventsButton, withPushKey } from '~/components/source-form/UseEventsButton';
import type { App, Connector, Source } from '~/api/types';
import { accountNames } from '~/domain/accounts/account-names';
import { writeFlowState } from '~/domain/navigation/flow-state';
import { plural } from '~/lib/numbers';
import { paths } from '~/domain/navigation/paths';
import { hasAccountsToChoose, signInName } from '~/domain/accounts/providers';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { ChoiceList } from '~/ui/inputs/ChoiceList';
import { ErrorNotice } from '~/components/feedback/ErrorNotice';
import { icon } from '~/ui/icon';
import { LockedReason } from '~/ui/feedback/LockedReason';
import { Section } from '~/ui/layout/Page';
import { providerName, ProviderMark } from '~/components/status/ProviderMark';
import { sourceTable } from '~/domain/connections/source-state';
import { Status } from '~/components/status/Status';
import styles from './Steps.module.css';
import type { StepProps } from './step-props';
import { WizardFooter } from '~/ui/layout/WizardFooter';

/** Shows the provider of a working source, or else the state. */
function Aside({ source }: { source: Source }) {
  const { word, tone, icon: stateIcon } = sourceTable[source.state];
  if (source.state === 'ready') return providerName(source.provider);
  return (
    <Status icon={stateIcon} tone={tone}>
      {word}
    </Status>
  );
}

const detailOf = ({ appName, accounts }: Source): string =>
  `${appName}, ${plural(accounts.length, 'account')}: ${accountNames(accounts)}`;

const isWorking = ({ state }: App): boolean => state === 'connected' || state === 'expiring';

function ConnectPlatform({ connector, isFirst }: { connector: Connector; isFirst: boolean }) {
  const organizationId = useOrganizationId();
  const disabledReason = usePermissionGate('apps.write');
  const { data: config } = useSWR('config', loadConfig, { revalidateOnFocus: false });
  const platform = signInName(connector.provider);
  const isKey = connector.credentials[0]?.authMode === 'api_key';
  return (
    <li>
      <ProviderMark provider={connector.provider} size="lg" />
      <span className={styles.text}>
        <span className="strong">{providerName(connector.provider)}</span>
        <span className="label">
          {isKey
            ? `Enter a key of ${platform} and select the accounts to read. Read-only access.`
            : config?.isDemo
              ? `Sample data: the sandbox replaces ${platform}’s consent page.`
              : `Sign in with ${platform} and select the accounts to read. Read-only access to reports.`}
        </span>
      </span>
      {disabledReason ? (
        <LockedReason>{disabledReason}</LockedReason>
      ) : isKey ? (
        <ConnectKey connector={connector} from="connection" variant={isFirst ? 'filled' : 'default'} disabledReason={null} />
      ) : (
        <SignInButton
          organizationId={organizationId}
          from="connection"
          align="end"
          authorization={{
            provider: connector.provider as SignInProvider,
            returnTo: paths.createConnection(organizationId, { step: 'source' }),
          }}
          variant={isFirst ? 'filled' : 'default'}
          leftSection={<IconPlus {...icon} />}
        >
          Connect {providerName(connector.provider)}
        </SignInButton>
      )}
    </li>
  );
}

function NewSource({ apps, hasSources }: { apps: App[]; hasSources: boolean }) {
  const organizationId = useOrganizationId();
  const { data: catalog } = useCatalog();
  const platforms = (catalog?.connectors ?? []).filter(
    ({ provider, credentials }) => hasAccountsToChoose(provider) && credentials.length > 0,
  );
  const connected = apps.filter((app) => hasAccountsToChoose(app.provider) && isWorking(app));
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
            <Button
              variant="default"
              component={Link}
              to={paths.landing(organizationId, app.provider, { app: app.id })}
              onClick={() => writeFlowState({ storedFrom: 'connection', storedType: app.provider })}
            >
              Select accounts
            </Button>
          </li>
        ))}
        {withPushKey(apps).map((app) => (
          <li key={app.id}>
            <ProviderMark provider={app.provider} size="lg" />
            <span className={styles.text}>
              <span className="strong">{app.displayName}</span>
              <span className="label">Pushed events, as a table of their own</span>
            </span>
            <UseEventsButton app={app} from="connection" />
          </li>
        ))}
        {platforms.map((connector, index) => (
          <ConnectPlatform
            key={connector.provider}
            connector={connector}
            isFirst={index === 0 && !hasSources && connected.length === 0}
          />
        ))}
      </ul>
    </Section>
  );
}

export function SourceStep({ draft, onChange, onGo }: StepProps) {
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
          title="Couldn’t load sources"
          onRetry={() => void Promise.all([sources.mutate(), apps.mutate()])}
        />
      )}
      {(!sources.data || !apps.data) && error === undefined && (
        <TableSkeleton label="Loading sources" rows={3} widths={[20, '60%', 120]} />
      )}
      {items.length > 0 && (
        <Section title="Source" aside="Accounts to read">
          <ChoiceList
            label="Source"
            name="source"
            value={chosen?.id ?? null}
            onChange={(sourceId) => onChange({ sourceId })}
            onConfirm={() => onGo('destination')}
            choices={items.map((source) => ({
              id: source.id,
              mark: <ProviderMark provider={source.provider} />,
              title: source.name,
              detail: detailOf(source),
              aside: <Aside source={source} />,
              isClosed: source.state === 'disabled',
            }))}
          />
          {chosen && (
            <p className={styles.more}>
              <Link
                to={paths.sourceSettings()}
                onClick={() => writeFlowState({ storedFrom: 'connection', storedType: chosen.provider, sourceKey: chosen.id })}
              >
                Accounts, level and lookback window of {chosen.name}
              </Link>
            </p>
          )}
        </Section>
      )}
      {apps.data && sources.data && <NewSource apps={apps.data.items} hasSources={items.length > 0} />}
      <WizardFooter
        savedAt={draft.savedAt}
        onNext={() => onGo('destination')}
        nextLabel="Destination"
        disabledReason={chosen ? null : 'Select a source'}
      />
    </>
  );
}
