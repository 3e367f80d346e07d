import { useState } from 'react';
import { useOrganizationProfile } from '~/api/organization';
import type { Organization } from '~/api/types';
import { useOrganizationId } from '~/session/organization-context';
import { Skeleton, Loading } from '~/ui/feedback/Skeleton';
import { BadgeSetting } from '~/components/badge/BadgeSetting';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import { SettingRow } from '~/ui/layout/SettingRow';
import { DefaultOrganization } from './DefaultOrganization';
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
  const [editedItem, setEditedItem] = useState<Organization | null>(null);
  const base = editedItem ?? latest;
  return (
    <GeneralForm
      key={base.version}
      base={base}
      latest={latest}
      onTyped={() => setEditedItem(base)}
      onSettled={() => setEditedItem(null)}
    />
  );
}

export function GeneralTab() {
  const { data, error, mutate } = useOrganizationProfile(useOrganizationId());
  return (
    <LoadedContent
      data={data}
      error={error}
      reload={mutate}
      errorTitle="Couldn’t load settings"
      refreshError="notice with age"
      skeleton={<GeneralSkeleton />}
    >
      {(latest) => (
        <>
          <LatestForm latest={latest} />
          <DefaultOrganization organization={latest} />
          <BadgeSetting connectionId={null} name={latest.name} />
        </>
      )}
    </LoadedContent>
  );
}
