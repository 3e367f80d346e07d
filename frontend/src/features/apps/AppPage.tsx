import { Button, Modal, TextInput } from '@mantine/core';
import { IconPlugConnectedX, IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { useSWRConfig } from 'swr';
import { deleteApp, probeApp, updateApp, useApp } from '../../api/apps';
import { authorizeApp } from '../../api/authorize-app';
import { keysOf } from '../../api/keys';
import { isNotFound } from '../../api/problem';
import type { App } from '../../api/types';
import { writeFlowState } from '../../lib/flow-state';
import { paths } from '../../lib/paths';
import { useTitle } from '../../lib/use-title';
import { useOrganizationId, useRoleGate } from '../../session/organization-context';
import { TableBones } from '../../ui/Bone';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { ErrorNotice, ErrorText } from '../../ui/ErrorNotice';
import { icon } from '../../ui/icon';
import { Notice } from '../../ui/Notice';
import { Page, PageHeader, WithFacts } from '../../ui/Page';
import { providerName, ProviderMark } from '../../ui/ProviderMark';
import { toast } from '../../ui/toast';
import { AppAccounts, AppFacts, AppUses, WhatHappens } from './AppDetails';
import { appCan } from './app-state';
import { AppStatus } from './AppStatus';

function RenameDialog({ app, onClose }: { app: App; onClose: () => void }) {
  const organizationId = useOrganizationId();
  const { mutate } = useSWRConfig();
  const [name, setName] = useState(app.displayName);
  const [failure, setFailure] = useState<unknown>(null);
  const save = async () => {
    try {
      await updateApp(organizationId, app.id, { displayName: name.trim(), version: app.version });
      await mutate(keysOf(organizationId, 'app', 'apps', 'source', 'sources'));
      onClose();
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <Modal opened onClose={onClose} title="Rename app" closeButtonProps={{ 'aria-label': 'Close' }}>
      <form
        style={{ display: 'grid', gap: 16 }}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {failure !== null && <ErrorText error={failure} />}
        <TextInput label="Name" value={name} data-autofocus onChange={(event) => setName(event.currentTarget.value)} />
        <Button type="submit" disabled={name.trim() === ''} style={{ justifySelf: 'end' }}>
          Save name
        </Button>
      </form>
    </Modal>
  );
}

function useReconnect(app: App) {
  const organizationId = useOrganizationId();
  const [isLeaving, setLeaving] = useState(false);
  const reconnect = async () => {
    setLeaving(true);
    writeFlowState({ storedFrom: 'app', storedType: app.provider });
    await authorizeApp(organizationId, [], paths.app(organizationId, app.id), app.id).catch((error: unknown) => {
      setLeaving(false);
      toast.failed(error);
    });
  };
  return { isLeaving, reconnect };
}

function ReconnectNotice({ app }: { app: App }) {
  const closedBecause = useRoleGate('manageApps');
  const { isLeaving, reconnect } = useReconnect(app);
  const isNew = appCan.begin(app);
  const provider = providerName(app.provider);
  return (
    <div style={{ marginBottom: 24 }}>
      <Notice
        tone={isNew ? 'accent' : 'danger'}
        icon={isNew ? undefined : IconPlugConnectedX}
        title={isNew ? 'This app is not connected yet' : (app.failure?.message ?? `${provider} ended the sign-in`)}
        actions={
          closedBecause ? (
            <span className="label">{closedBecause}</span>
          ) : (
            <Button loading={isLeaving} onClick={() => void reconnect()}>
              {isNew ? `Connect with ${provider}` : `Reconnect with ${provider}`}
            </Button>
          )
        }
      >
        {isNew
          ? 'Sign in once, and choose which accounts to read.'
          : `Nothing that was loaded is lost; missed days load by themselves afterwards.`}
      </Notice>
    </div>
  );
}

function Actions({ app }: { app: App }) {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const { mutate } = useSWRConfig();
  const closedBecause = useRoleGate('manageApps');
  const { isLeaving, reconnect } = useReconnect(app);
  const [dialog, setDialog] = useState<'rename' | 'disconnect' | null>(null);
  const [isProbing, setProbing] = useState(false);
  const isUsed = !appCan.disconnect(app);
  const probe = async () => {
    setProbing(true);
    await probeApp(organizationId, app.id).catch(toast.failed);
    await mutate(keysOf(organizationId, 'app', 'apps'));
    setProbing(false);
  };
  if (closedBecause !== null) return <span className="label">{closedBecause}</span>;
  return (
    <>
      {app.authMode === 'oauth2' && !appCan.begin(app) && (
        <Button variant="default" leftSection={<IconRefresh {...icon} />} loading={isProbing} onClick={() => void probe()}>
          Check now
        </Button>
      )}
      {appCan.reconnect(app) && !appCan.mustReconnect(app) && !appCan.begin(app) && (
        <Button variant="default" loading={isLeaving} onClick={() => void reconnect()}>
          Reconnect
        </Button>
      )}
      <Button variant="default" onClick={() => setDialog('rename')}>
        Rename
      </Button>
      <Button
        variant="default"
        disabled={isUsed}
        onClick={() => setDialog('disconnect')}
        title={isUsed ? 'In use: delete its sources and destinations first' : undefined}
      >
        Disconnect
      </Button>
      {dialog === 'rename' && <RenameDialog app={app} onClose={() => setDialog(null)} />}
      <ConfirmDialog
        isOpen={dialog === 'disconnect'}
        onClose={() => setDialog(null)}
        title={`Disconnect ${app.displayName}?`}
        stops={[`Access to ${providerName(app.provider)}: it is withdrawn there as well`]}
        stays={['Every row that was loaded']}
        confirmLabel="Disconnect app"
        onConfirm={async () => {
          await deleteApp(organizationId, app.id);
          await mutate(keysOf(organizationId, 'apps'));
          toast.done(`${app.displayName} disconnected`);
          void navigate(paths.apps(organizationId));
        }}
      />
    </>
  );
}

export default function AppPage() {
  const organizationId = useOrganizationId();
  const { id = '' } = useParams();
  const { data: app, error, mutate } = useApp(organizationId, id);
  useTitle(app?.displayName ?? 'App');
  if (isNotFound(error) && !app) throw error;
  return (
    <Page>
      {error !== undefined && <ErrorNotice error={error} title="The app could not be fetched" onRetry={() => void mutate()} />}
      {!app && error === undefined && <TableBones label="Loading the app" rows={5} widths={['40%', '30%', 100]} />}
      {app && (
        <>
          <PageHeader
            title={app.displayName}
            parent={{ label: 'Apps', to: paths.apps(organizationId) }}
            mark={<ProviderMark provider={app.provider} size="lg" />}
            status={<AppStatus app={app} />}
            actions={<Actions app={app} />}
          />
          {(appCan.mustReconnect(app) || appCan.begin(app)) && <ReconnectNotice app={app} />}
          <WithFacts facts={<AppFacts app={app} />}>
            <AppUses app={app} />
            {appCan.mustReconnect(app) && <WhatHappens app={app} />}
            <AppAccounts app={app} />
          </WithFacts>
        </>
      )}
    </Page>
  );
}
