import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useSWRConfig } from 'swr';
import { keysOf } from '~/api/http/keys';
import { createSource, useSources } from '~/api/sources';
import type { App } from '~/api/types';
import { plural } from '~/lib/numbers';
import { useAction } from '~/lib/use-action';
import { paths } from '~/domain/navigation/paths';
import { signInName } from '~/domain/accounts/providers';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { AccountTree } from '~/components/accounts/AccountTree';
import { ErrorText } from '~/components/feedback/ErrorNotice';
import { GatedButton } from '~/ui/inputs/GatedButton';
import { toast } from '~/components/feedback/toast';
import styles from './Accounts.module.css';
import { defaultSourceName, readBy, whyNoSource } from './source-defaults';

/** Selection of accounts, by manager, for a new source. The name is generated from the selection until the user edits it. */
export function NewSource({ app, aside }: { app: App; aside: React.ReactNode }) {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const { mutate } = useSWRConfig();
  const roleReason = usePermissionGate('sources.write');
  const { data } = useSources(organizationId);
  const [chosen, setChosen] = useState<string[]>([]);
  const [typed, setTyped] = useState<string | null>(null);
  const { run, isBusy, error } = useAction({ leavesPage: true });
  const sources = data?.items ?? [];
  const fallback = defaultSourceName(
    app,
    chosen,
    sources.map(({ name }) => name),
  );
  const name = (typed ?? fallback).trim();
  const create = async () => {
    const source = await createSource(organizationId, { appId: app.id, name, accountIds: chosen });
    await mutate(keysOf(organizationId, 'sources', 'apps', 'app'));
    toast.done(`${source.name}: ${plural(source.accounts.length, 'account')} ready`);
    void navigate(paths.source(organizationId, source.id, source.provider));
  };
  if (app.accounts.length === 0) return <p className="quiet">No accounts found yet.</p>;
  return (
    <div className={styles.form}>
      <div>
        <div className={styles.head}>
          <span className="label">{plural(app.accounts.length, 'account')}</span>
          {aside}
        </div>
        <AccountTree
          accounts={app.accounts}
          chosen={chosen}
          onChange={setChosen}
          platform={signInName(app.provider)}
          isLocked={roleReason !== null}
          notes={readBy(sources.filter(({ appId }) => appId === app.id))}
        />
      </div>
      <TextInput
        label="Source name"
        description="Generated from your selection; edit anytime."
        value={typed ?? fallback}
        disabled={roleReason !== null}
        maxLength={120}
        error={name === '' ? 'Enter a name' : null}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {error !== null && <ErrorText error={error} />}
      <div>
        <GatedButton
          loading={isBusy}
          disabledReason={roleReason}
          waitsFor={whyNoSource(app, chosen, name)}
          onClick={() => void run(create)}
        >
          Create source
        </GatedButton>
      </div>
    </div>
  );
}
