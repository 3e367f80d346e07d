import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { exportConfiguration } from '~/api/configuration';
import { useOrganizationProfile } from '~/api/organization';
import { ErrorNotice } from '~/components/feedback/ErrorNotice';
import { toast } from '~/components/feedback/toast';
import { localDay } from '~/lib/dates';
import { saveFile } from '~/lib/save-file';
import { useAction } from '~/lib/use-action';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { LockedReason } from '~/ui/feedback/LockedReason';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { icon } from '~/ui/icon';
import { Section } from '~/ui/layout/Page';
import styles from './Data.module.css';
import { ImportSection } from './ImportSection';

const SKELETON = <TableSkeleton label="Loading export and import" rows={2} widths={['40%', 160]} />;

function ExportSection() {
  const organizationId = useOrganizationId();
  const { run, isBusy } = useAction({ onError: toast.failed });
  const download = async () => {
    const file = JSON.stringify(await exportConfiguration(organizationId), null, 2);
    saveFile(new Blob([file], { type: 'application/json' }), `configuration-${localDay(new Date())}.json`);
  };
  return (
    <Section title="Export">
      <p className={styles.text}>
        The file contains apps, sources, destinations, connections with the days that they have loaded, conversions, payments,
        webhooks and notification rules.
      </p>
      <p className={styles.text}>
        It contains no credentials, keys or other secrets, no Slack webhooks, no members and no loaded rows.
      </p>
      <Button variant="default" leftSection={<IconDownload {...icon} />} loading={isBusy} onClick={() => void run(download)}>
        Export configuration
      </Button>
    </Section>
  );
}

export function DataTab() {
  const { data: organization, error, mutate } = useOrganizationProfile(useOrganizationId());
  const disabledReason = usePermissionGate('configuration.read', 'export or import the configuration');
  if (!organization && error !== undefined)
    return <ErrorNotice error={error} title="Couldn’t load your permissions" onRetry={() => void mutate()} />;
  if (!organization) return SKELETON;
  if (disabledReason !== null) return <LockedReason>{disabledReason}</LockedReason>;
  return (
    <>
      <ExportSection />
      <ImportSection />
    </>
  );
}
