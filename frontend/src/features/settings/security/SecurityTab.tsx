import { Switch } from '@mantine/core';
import { Link } from 'react-router-dom';
import { useSWRConfig } from 'swr';
import { useMe } from '~/api/accounts';
import { keys } from '~/api/http/keys';
import { updateSecurity, useOrganizationProfile } from '~/api/organization';
import type { Organization } from '~/api/types';
import { paths } from '~/domain/navigation/paths';
import { useAction } from '~/lib/use-action';
import { usePermissionGate } from '~/session/permissions';
import { useOrganizationId } from '~/session/organization-context';
import { Skeleton, Loading } from '~/ui/feedback/Skeleton';
import { ErrorNotice } from '~/components/feedback/ErrorNotice';
import { ErrorText } from '~/components/feedback/ErrorText';
import { LockedReason } from '~/ui/feedback/LockedReason';
import { SettingRow } from '~/ui/layout/SettingRow';
import { toast } from '~/components/feedback/toast';
import styles from './SecurityTab.module.css';

const TITLE = 'Two-step sign-in';
const HINT =
  'Owners and admins sign in with a code from an authenticator app. Users without one have to set it up. API keys are not affected.';

function RequireSecondFactor({ organization }: { organization: Organization }) {
  const { id, requireSecondFactor } = organization;
  const disabledReason = usePermissionGate('organization.secure');
  const { data: me } = useMe();
  const { mutate } = useSWRConfig();
  const { run, isBusy, error } = useAction();
  const save = (isRequired: boolean) =>
    run(async () => {
      await mutate(keys.profile(id), await updateSecurity(id, isRequired), { revalidate: false });
      toast.done(isRequired ? 'Two-step sign-in is required' : 'Two-step sign-in is optional');
    });
  // Users without a second factor would lock themselves out.
  const isMissing = me !== undefined && !me.hasSecondFactor && !requireSecondFactor;
  return (
    <div className={styles.control}>
      <Switch
        label="Require for owners and admins"
        checked={requireSecondFactor}
        disabled={disabledReason !== null || isMissing || isBusy}
        onChange={(event) => void save(event.currentTarget.checked)}
      />
      {disabledReason !== null && <LockedReason>{disabledReason}</LockedReason>}
      {disabledReason === null && isMissing && (
        <p className="quiet">
          First <Link to={paths.account()}>set up two-step sign-in for yourself</Link> and sign in with it.
        </p>
      )}
      {error !== null && <ErrorText error={error} />}
    </div>
  );
}

export function SecurityTab() {
  const { data, error, mutate } = useOrganizationProfile(useOrganizationId());
  if (error !== undefined && !data)
    return <ErrorNotice error={error} title="Couldn’t load settings" onRetry={() => void mutate()} />;
  return (
    <SettingRow title={TITLE} hint={HINT}>
      {data ? (
        <RequireSecondFactor organization={data} />
      ) : (
        <Loading label="Loading settings">
          <Skeleton width={240} height={24} />
        </Loading>
      )}
    </SettingRow>
  );
}
