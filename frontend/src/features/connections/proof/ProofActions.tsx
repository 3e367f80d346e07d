import { Button } from '@mantine/core';
import { IconCheck, IconLink, IconPrinter } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { paths } from '~/domain/navigation/paths';
import { useAction } from '~/lib/use-action';
import { useOrganizationId } from '~/session/organization-context';
import { icon } from '~/ui/icon';
import { toast } from '~/components/feedback/toast';

const COPIED_MS = 2_000;

/** The link opens the run with its sheet, for members of the organization. */
export function ProofActions({ connectionId, runId }: { connectionId: string; runId: string }) {
  const organizationId = useOrganizationId();
  const [isCopied, setCopied] = useState(false);
  const { run } = useAction({ onError: toast.failed });
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    await navigator.clipboard.writeText(
      location.origin + paths.connection(organizationId, connectionId, { tab: 'runs', run: runId }),
    );
    setCopied(true);
  };
  return (
    <>
      <Button
        size="xs"
        variant="default"
        miw={112}
        leftSection={isCopied ? <IconCheck {...icon} size={14} /> : <IconLink {...icon} size={14} />}
        onClick={() => void run(copy)}
      >
        {isCopied ? 'Copied' : 'Copy link'}
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPrinter {...icon} size={14} />}
        title="Print or save as PDF"
        onClick={() => window.print()}
      >
        Print
      </Button>
    </>
  );
}
