import { useOrganizationProfile } from '../../../api/organization';
import { useSeenAt } from '../../../lib/use-seen-at';
import { useOrganizationId } from '../../../session/organization-context';
import { Bone, Loading } from '../../../ui/Bone';
import { ErrorNotice } from '../../../ui/ErrorNotice';
import { SettingRow } from '../../../ui/SettingRow';
import { GeneralForm } from './GeneralForm';

const ROWS = ['Name', 'Logo', 'Currency', 'Time zone'];

const Bones = () => (
  <Loading label="Loading settings">
    {ROWS.map((title) => (
      <SettingRow key={title} title={title}>
        <Bone width={320} height={32} radius={6} />
      </SettingRow>
    ))}
  </Loading>
);

export function GeneralTab() {
  const { data, error, mutate } = useOrganizationProfile(useOrganizationId());
  const seenAt = useSeenAt(data);
  return (
    <>
      {error !== undefined && (
        <ErrorNotice error={error} title="Settings could not be fetched" seenAt={seenAt} onRetry={() => void mutate()} />
      )}
      {data && <GeneralForm latest={data} />}
      {!data && error === undefined && <Bones />}
    </>
  );
}
