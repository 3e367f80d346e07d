import { Button, TextInput } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useSWRConfig } from 'swr';
import { relistAccounts, useApp } from '../../api/apps';
import { keys, keysOf } from '../../api/keys';
import { createSource } from '../../api/sources';
import type { App } from '../../api/types';
import { readFlowState, writeFlowState } from '../../lib/flow-state';
import { plural } from '../../lib/numbers';
import { paths } from '../../lib/paths';
import { useOrganizationId } from '../../session/organization-context';
import { AccountPicker } from '../../ui/AccountPicker';
import { ErrorNotice, ErrorText } from '../../ui/ErrorNotice';
import { icon } from '../../ui/icon';
import { ProviderMark } from '../../ui/ProviderMark';
import { toast } from '../../ui/toast';
import styles from './GoogleAdsPage.module.css';
import { Progress } from './Progress';

const enabledIds = (app: App): string[] =>
  app.accounts.filter(({ status }) => status === 'enabled').map(({ externalId }) => externalId);

function RefreshButton({ appId }: { appId: string }) {
  const organizationId = useOrganizationId();
  const { mutate } = useSWRConfig();
  const [isBusy, setBusy] = useState(false);
  const refresh = async () => {
    setBusy(true);
    try {
      await relistAccounts(organizationId, appId);
      await mutate(keys.app(organizationId, appId));
    } catch (error) {
      toast.failed(error);
    }
    setBusy(false);
  };
  return (
    <Button
      size="xs"
      variant="subtle"
      leftSection={<IconRefresh {...icon} size={14} />}
      loading={isBusy}
      onClick={() => void refresh()}
    >
      List again
    </Button>
  );
}

/** Back to where the flow began: the wizard takes the new source with it. */
function useFinish() {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  return (sourceId: string) => {
    const isFromWizard = readFlowState().storedFrom === 'connection';
    writeFlowState({ sourceKey: sourceId, storedType: 'google_ads' });
    void navigate(
      isFromWizard
        ? paths.createConnection(organizationId, { step: 'destination', source: sourceId })
        : paths.createConnection(organizationId, { step: 'source', source: sourceId }),
    );
  };
}

function Form({ app }: { app: App }) {
  const organizationId = useOrganizationId();
  const { mutate } = useSWRConfig();
  const finish = useFinish();
  const [name, setName] = useState(app.displayName || 'Google Ads');
  const [chosen, setChosen] = useState(() => enabledIds(app));
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const create = async () => {
    setBusy(true);
    setFailure(null);
    try {
      const source = await createSource(organizationId, { appId: app.id, name: name.trim(), accountIds: chosen });
      await mutate(keysOf(organizationId, 'sources', 'apps', 'app'));
      toast.done(`${source.name}: ${plural(source.accounts.length, 'account')} ready`);
      finish(source.id);
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  };
  return (
    <div className={styles.form}>
      {failure !== null && <ErrorText error={failure} />}
      <TextInput
        size="md"
        label="Name of the source"
        value={name}
        error={name.trim() === '' ? 'A source needs a name' : null}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <section aria-label="Accounts">
        <div style={{ display: 'flex', justifyContent: 'space-between', alignItems: 'center' }}>
          <h2>{plural(app.accounts.length, 'account')} found</h2>
          <RefreshButton appId={app.id} />
        </div>
        <AccountPicker accounts={app.accounts} chosen={chosen} onChange={setChosen} />
      </section>
      <div>
        <Button size="md" disabled={chosen.length === 0 || name.trim() === ''} loading={isBusy} onClick={() => void create()}>
          {chosen.length === 0 ? 'Choose an account' : `Use ${plural(chosen.length, 'account')}`}
        </Button>
      </div>
    </div>
  );
}

export function ChooseAccounts({ appId }: { appId: string }) {
  const organizationId = useOrganizationId();
  const { data: app, error, mutate } = useApp(organizationId, appId);
  if (error !== undefined && !app)
    return <ErrorNotice error={error} title="The app could not be fetched" onRetry={() => void mutate()} />;
  if (!app) return <Progress />;
  return (
    <>
      <div className={styles.head}>
        <ProviderMark provider="google_ads" size="lg" />
        <div>
          <h1>Choose ad accounts</h1>
          {app.externalUser && <p className="label">Signed in as {app.externalUser}</p>}
        </div>
      </div>
      <Form app={app} />
    </>
  );
}
