import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useApp } from '~/api/apps';
import type { App, Source } from '~/api/types';
import { readFlowState, writeFlowState } from '~/domain/navigation/flow-state';
import { plural } from '~/lib/numbers';
import { paths } from '~/domain/navigation/paths';
import { signInName } from '~/domain/accounts/providers';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { AccountTree } from '~/components/accounts/AccountTree';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { ErrorNotice } from '~/components/feedback/ErrorNotice';
import { ErrorText } from '~/components/feedback/ErrorText';
import { GatedButton } from '~/ui/inputs/GatedButton';
import { toast } from '~/components/feedback/toast';
import { useNewSource } from '~/features/apps/accounts/use-new-source';
import { RefreshAccountsButton } from '~/features/apps/RefreshAccountsButton';
import { SignInNotice } from '~/features/apps/page/SignInNotice';
import { SourceCreated } from './SourceCreated';
import styles from './Landing.module.css';
import { LandingHead } from './LandingHead';

const enabledIds = (app: App): string[] =>
  app.accounts.filter(({ status }) => status === 'enabled').map(({ externalId }) => externalId);

function Form({ app, onCreated }: { app: App; onCreated: (source: Source) => void }) {
  const disabledReason = usePermissionGate('sources.write', 'choose accounts');
  const isLocked = disabledReason !== null;
  const { chosen, setChosen, nameField, whyNot, create, isBusy, error } = useNewSource(app, () => enabledIds(app), onCreated);
  return (
    <div className={styles.form}>
      {error !== null && <ErrorText error={error} />}
      <TextInput size="md" {...nameField} disabled={isLocked} />
      <section aria-label="Accounts">
        <div className={styles.sectionHead}>
          <h2>{plural(app.accounts.length, 'account')} found</h2>
          <RefreshAccountsButton app={app} />
        </div>
        <AccountTree
          accounts={app.accounts}
          chosen={chosen}
          onChange={setChosen}
          platform={signInName(app.provider)}
          isLocked={isLocked}
        />
      </section>
      <div>
        <GatedButton size="md" loading={isBusy} disabledReason={disabledReason} waitsFor={whyNot} onClick={create}>
          Continue with {plural(chosen.length, 'account')}
        </GatedButton>
      </div>
    </div>
  );
}

export function ChooseAccounts({ appId }: { appId: string }) {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const { data: app, error, mutate } = useApp(organizationId, appId);
  const [created, setCreated] = useState<Source | null>(null);
  if (error !== undefined && !app)
    return <ErrorNotice error={error} title="Couldn’t load this app" onRetry={() => void mutate()} />;
  if (!app) return <TableSkeleton label="Loading the app" rows={4} widths={['50%', '30%']} />;
  if (created) return <SourceCreated source={created} />;
  /** Returns to the wizard with the new source if the flow started there. */
  const finish = (source: Source) => {
    const isFromWizard = readFlowState().storedFrom === 'connection';
    writeFlowState({ sourceKey: source.id, storedType: source.provider });
    if (!isFromWizard) return setCreated(source);
    toast.done(`${source.name}: ${plural(source.accounts.length, 'account')} ready`);
    void navigate(paths.createConnection(organizationId, { step: 'destination', source: source.id }));
  };
  return (
    <>
      <LandingHead
        provider={app.provider}
        title="Choose ad accounts"
        note={app.externalUser && `Signed in as ${app.externalUser}`}
      />
      <SignInNotice app={app} />
      <Form app={app} onCreated={finish} />
    </>
  );
}
