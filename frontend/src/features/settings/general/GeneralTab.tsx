import { useState } from 'react';
import { useOrganizationProfile } from '~/api/organization';
import type { Organization } from '~/api/types';
import { useSeenAt } from '~/lib/use-seen-at';
import { useOrganizationId } from '~/session/organization-context';
import { Skeleton, Loading } from '~/ui/feedback/Skeleton';
import { ErrorNotice } from '~/components/feedback/ErrorNotice';
import { SettingRow } from '~/ui/layout/SettingRow';
import { GeneralForm } from './GeneralForm';

const ROWS = ['Name', 'Logo', 'Currency', 'Time zone'];

const GeneralSkeleton = () => (
  <Loading label="Loading settings">
    {ROWS.map((title) => (
      <SettingRow key={title} title={title}>
        <Skeleton width={320} height={32} radius={6} />
      </SettingRow>
    ))}
  </Loading>
);

/**
 * Edits belong to the version they were started from. A newer version is loaded only while there are no edits, so that the server
 * can detect conflicting changes.
 */
function LatestForm({ latest }: { latest: Organization }) {
  const [typedOver, setTypedOver] = useState<Organization | null>(null);
  const base = typedOver ?? latest;
  return (
    <GeneralForm
      key={base.version}
      base={base}
      latest={latest}
      onTyped={() => setTypedOver(base)}
      onSettled={() => setTypedOver(null)}
    />
  );
}

export function GeneralTab() {
  const { data, error, mutate } = useOrganizationProfile(useOrganizationId());
  const seenAt = useSeenAt(data);
  return (
    <>
      {error !== undefined && (
        <ErrorNotice error={error} title="Couldn’t load settings" seenAt={seenAt} onRetry={() => void mutate()} />
      )}
      {data && <LatestForm latest={data} />}
      {!data && error === undefined && <GeneralSkeleton />}
    </>
  );
}
