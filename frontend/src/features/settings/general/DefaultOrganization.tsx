import { Switch } from '@mantine/core';
import { useSWRConfig } from 'swr';
import { keys } from '~/api/http/keys';
import { updateMembership } from '~/api/organization';
import type { Organization } from '~/api/types';
import { useAction } from '~/lib/use-action';
import { logFailure } from '~/lib/log-failure';
import { usePermissionGate } from '~/session/permissions';
import { useSession } from '~/session/session-context';
import { ErrorText } from '~/components/feedback/ErrorText';
import { toast } from '~/components/feedback/toast';
import { LockedReason } from '~/ui/feedback/LockedReason';
import { SettingRow } from '~/ui/layout/SettingRow';
import styles from './GeneralForm.module.css';

/** The user's own choice, which each member has. It is saved at once, apart from the settings of the organization. */
export function DefaultOrganization({ organization: { id, name, isDefault } }: { organization: Organization }) {
  const disabledReason = usePermissionGate('membership.write');
  const { mutate } = useSWRConfig();
  const { refreshOrganizations } = useSession();
  const { run, isBusy, error } = useAction();
  const save = (isChosen: boolean) =>
    run(async () => {
      await mutate(keys.profile(id), await updateMembership(id, isChosen), { revalidate: false });
      toast.done(isChosen ? `${name} is your default organization` : 'You have no default organization');
      refreshOrganizations().catch((failure: unknown) => logFailure('Refresh of the organizations', failure));
    });
  return (
    <SettingRow
      title="Default organization"
      hint="It is listed first and opens when a link names no organization. Only for you, not for other members."
    >
      <div className={styles.choice}>
        <Switch
          label="My default organization"
          checked={isDefault}
          disabled={disabledReason !== null || isBusy}
          onChange={(event) => void save(event.currentTarget.checked)}
        />
        {disabledReason !== null && <LockedReason>{disabledReason}</LockedReason>}
        {error !== null && <ErrorText error={error} />}
      </div>
    </SettingRow>
  );
}
