import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { fetchAuditCsv } from '~/api/audit';
import type { AuditFilter } from '~/api/audit';
import { localDay } from '~/lib/dates';
import { saveFile } from '~/lib/save-file';
import { useOrganizationId } from '~/session/organization-context';
import { icon } from '~/ui/icon';
import { toast } from '~/components/feedback/toast';

export function DownloadButton({ filter }: { filter: AuditFilter }) {
  const organizationId = useOrganizationId();
  const [isBusy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    try {
      saveFile(await fetchAuditCsv(organizationId, filter), `audit-${localDay(new Date())}.csv`);
    } catch (error) {
      toast.failed(error);
    }
    setBusy(false);
  };
  return (
    <Button variant="default" leftSection={<IconDownload {...icon} />} loading={isBusy} onClick={() => void download()}>
      Download CSV
    </Button>
  );
}
