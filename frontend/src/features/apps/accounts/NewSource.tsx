import { TextInput } from '@mantine/core';
import { useNavigate } from 'react-router-dom';
import type { App, Source } from '~/api/types';
import { plural } from '~/lib/numbers';
import { paths } from '~/domain/navigation/paths';
import { signInName } from '~/domain/accounts/providers';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { AccountTree } from '~/components/accounts/AccountTree';
import { ErrorText } from '~/components/feedback/ErrorText';
import { GatedButton } from '~/ui/inputs/GatedButton';
import { toast } from '~/components/feedback/toast';
import styles from './Accounts.module.css';
import { readBy } from './source-defaults';
import { useNewSource } from './use-new-source';

/** Selection of accounts, by manager, for a new source. */
export function NewSource({ app, aside }: { app: App; aside: React.ReactNode }) {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const roleReason = usePermissionGate('sources.write');
  const open = (source: Source) => {
    toast.done(`${source.name}: ${plural(source.accounts.length, 'account')} ready`);
    void navigate(paths.source(organizationId, source.id, source.provider));
  };
  const { sources, chosen, setChosen, nameField, whyNot, create, isBusy, error } = useNewSource(app, () => [], open);
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
      <TextInput {...nameField} disabled={roleReason !== null} />
      {error !== null && <ErrorText error={error} />}
      <div>
        <GatedButton loading={isBusy} disabledReason={roleReason} waitsFor={whyNot} onClick={create}>
          Create source
        </GatedButton>
      </div>
    </div>
  );
}
