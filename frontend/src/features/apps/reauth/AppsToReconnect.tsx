import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { Link, useSearchParams } from 'react-router-dom';
import { useApp, useApps } from '~/api/apps';
import type { SignInProvider } from '~/api/authorize-app';
import type { App } from '~/api/types';
import { paths } from '~/domain/navigation/paths';
import { signInName } from '~/domain/accounts/providers';
import { useNow } from '~/lib/use-now';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { EmptyState } from '~/ui/feedback/EmptyState';
import { ErrorNotice } from '~/components/feedback/ErrorNotice';
import { Gated } from '~/ui/inputs/GatedButton';
import { Notice } from '~/ui/feedback/Notice';
import { PageHeader } from '~/ui/layout/Page';
import { ProviderMark } from '~/components/status/ProviderMark';
import { appCan, appTable } from '~/features/apps/app-state';
import { accessProblemReason, accessProblemTitle } from '~/features/apps/access-problem';
import { ReconnectButton } from '~/features/apps/ReconnectButton';
import { ShareLinkButton } from '~/features/apps/ShareLinkButton';
import { useAppConnections } from '~/features/apps/use-app-connections';
import { ReconnectSteps } from '~/features/apps/ReconnectSteps';
import { AffectedConnections } from '~/features/apps/AffectedConnections';
import styles from './Reauth.module.css';

function AppToReconnect({ app, isAlone }: { app: App; isAlone: boolean }) {
  const organizationId = useOrganizationId();
  const now = useNow();
  const disabledReason = usePermissionGate('apps.write', 'reconnect');
  const uses = useAppConnections(app);
  return (
    <article className={styles.affected} aria-label={app.displayName}>
      <Notice
        tone={app.state === 'expiring' ? 'warn' : 'danger'}
        icon={app.state === 'expiring' ? undefined : IconPlugConnectedX}
        title={accessProblemTitle(app, now)}
        actions={
          <Gated disabledReason={disabledReason}>
            <ShareLinkButton app={app} disabled={disabledReason !== null} />
            <ReconnectButton app={app} variant={isAlone ? 'filled' : 'default'} disabled={disabledReason !== null} />
          </Gated>
        }
      >
        <Link to={paths.app(organizationId, app.id)}>{app.displayName}</Link>
        {app.externalUser && `, signed in as ${app.externalUser}`}. {accessProblemReason(app)}
      </Notice>
      <div className={styles.connections}>
        <AffectedConnections uses={uses} />
      </div>
      {isAlone && <ReconnectSteps app={app} connections={uses.connections} />}
    </article>
  );
}

/** The apps that are expired, revoked or expiring; if there are none, what is shown instead. */
function Affected({ apps, none }: { apps: App[]; none: ReactNode }) {
  const affected = apps.filter(appCan.needsSignIn);
  if (affected.length === 0) return none;
  return affected.map((app) => <AppToReconnect key={app.id} app={app} isAlone={affected.length === 1} />);
}

const Failed = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => (
  <ErrorNotice error={error} title="Couldn’t load your apps" onRetry={onRetry} />
);

const Pending = () => <TableSkeleton label="Loading apps" rows={4} widths={['60%', 120]} />;

/** The app that the link names. Other apps of the platform can be broken, so this says nothing about them. */
function NamedApp({ appId }: { appId: string }) {
  const organizationId = useOrganizationId();
  const { data: app, error, mutate } = useApp(organizationId, appId);
  if (error !== undefined) return <Failed error={error} onRetry={() => void mutate()} />;
  if (!app) return <Pending />;
  const none = (
    <EmptyState
      title={`${app.displayName} does not need to be reconnected`}
      action={
        <Button size="md" variant="default" component={Link} to={paths.app(organizationId, app.id)}>
          Open app
        </Button>
      }
    >
      Its state is “{appTable[app.state].word}”.
    </EmptyState>
  );
  return <Affected apps={[app]} none={none} />;
}

function AllApps({ name }: { name: string }) {
  const organizationId = useOrganizationId();
  const { data, error, mutate } = useApps(organizationId);
  const none = (
    <EmptyState
      title={`All ${name} sign-ins work`}
      action={
        <Button size="md" variant="default" component={Link} to={paths.apps(organizationId)}>
          Go to apps
        </Button>
      }
    >
      No {name} app needs to be reconnected.
    </EmptyState>
  );
  return (
    <>
      {error !== undefined && <Failed error={error} onRetry={() => void mutate()} />}
      {!data && error === undefined && <Pending />}
      {data && <Affected apps={data.items.filter((app) => signInName(app.provider) === name)} none={none} />}
    </>
  );
}

/** All apps of one platform that are expired, revoked or expiring, with the affected connections; or the one app that a link names. */
export function AppsToReconnect({ platform }: { platform: SignInProvider }) {
  const [parameters] = useSearchParams();
  const name = signInName(platform);
  const appId = parameters.get('app');
  return (
    <>
      <PageHeader
        title={`Reconnect ${name}`}
        parent={{ label: 'Apps', to: paths.apps(useOrganizationId()) }}
        mark={<ProviderMark provider={platform} size="lg" />}
      />
      {appId === null ? <AllApps name={name} /> : <NamedApp appId={appId} />}
    </>
  );
}
