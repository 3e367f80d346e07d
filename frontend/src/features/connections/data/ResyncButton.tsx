import { Button, Group, Modal } from '@mantine/core';
import { useState } from 'react';
import { useBackfillActions, useResyncEstimate } from '~/api/connections/backfills';
import type { Backfill, Connection, SchemaStream } from '~/api/types';
import { ErrorText } from '~/components/feedback/ErrorText';
import { toast } from '~/components/feedback/toast';
import { Cost } from '~/features/connections/backfills/BackfillCost';
import { useAction } from '~/lib/use-action';
import { useOrganizationId } from '~/session/organization-context';
import { Skeleton } from '~/ui/feedback/Skeleton';
import { Gated } from '~/ui/inputs/GatedButton';
import styles from './DataTab.module.css';

export interface ResyncProps {
  connection: Connection;
  stream: SchemaStream;
  /** The newest re-sync of the stream, unless it was canceled. */
  shown: Backfill | null;
  /** Why none can be started; null: one can. */
  disabledReason: string | null;
}

function ResyncDialog({ connection, stream, onClose }: ResyncProps & { onClose: () => void }) {
  const organizationId = useOrganizationId();
  const { resync } = useBackfillActions(organizationId, connection.id);
  const { data, error: estimateError } = useResyncEstimate(organizationId, connection.id, stream.name);
  const { run, isBusy, error } = useAction();
  const start = async () => {
    if (!(await run(() => resync(stream.name)))) return;
    toast.done('Re-sync started');
    onClose();
  };
  return (
    <Modal opened onClose={onClose} title={`Re-sync ${stream.name}`} closeButtonProps={{ 'aria-label': 'Close' }}>
      <div className={styles.dialog}>
        <p>
          Loads all days into a new table, verifies them, and then replaces <code>{stream.targetTable}</code> in one step. Until
          then, readers see the old table and scheduled runs continue.
          {connection.destination.provider === 'bigquery' &&
            ' BigQuery bills the replacement as one query that reads both tables.'}
        </p>
        <section aria-label="Estimate" aria-live="polite">
          {data ? <Cost estimate={data} /> : estimateError === undefined && <Skeleton width="80%" />}
          {estimateError !== undefined && <ErrorText error={estimateError} />}
        </section>
        {error !== null && <ErrorText error={error} />}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={isBusy} onClick={() => void start()}>
            Start re-sync
          </Button>
        </Group>
      </div>
    </Modal>
  );
}

export function ResyncButton(props: ResyncProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Gated disabledReason={props.disabledReason}>
        <Button
          size="xs"
          variant="default"
          aria-label={`Re-sync ${props.stream.name}`}
          disabled={props.disabledReason !== null}
          onClick={() => setOpen(true)}
        >
          Re-sync
        </Button>
      </Gated>
      {isOpen && <ResyncDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}
