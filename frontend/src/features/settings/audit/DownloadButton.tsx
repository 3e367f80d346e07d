import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { fetchAuditCsv } from '~/api/audit';
import type { AuditFilter } from '~/api/audit';
import { localDay } from '~/lib/dates';
import { saveFile } from '~/lib/save-file';
import { useAction } from '~/lib/use-action';
import { useOrganizationId } from '~/session/organization-context';
import { icon } from '~/ui/icon';
import { toast } from '~/components/feedback/toast';

export function DownloadButton({ filter }: { filter: AuditFilter }) {
  const organizationId = useOrganizationId();
  const { run, isBusy } = useAction({ onError: toast.failed });
  const download = async () => saveFile(await fetchAuditCsv(organizationId, filter), `audit-${localDay(new Date())}.csv`);
  return (
    <Button variant="default" leftSection={<IconDownload {...icon} />} loading={isBusy} onClick={() => void run(download)}>
      Download CSV
    </Button>
  );
}
