import { IconCircleCheck, IconCircleMinus, IconCircleX } from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import { usePushReceipts } from '~/api/custom-apps';
import type { PushReceipt } from '~/api/types';
import type { Tone } from '~/domain/connections/connection-state';
import { useOrganizationId } from '~/session/organization-context';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import { Section } from '~/ui/layout/Page';
import { RelativeTime } from '~/ui/data/RelativeTime';
import { Status } from '~/components/status/Status';
import styles from './CustomApp.module.css';

const table: Record<PushReceipt['outcome'], { word: string; tone: Tone; icon: Icon }> = {
  accepted: { word: 'Accepted', tone: 'good', icon: IconCircleCheck },
  duplicate: { word: 'Duplicate', tone: 'idle', icon: IconCircleMinus },
  refused: { word: 'Rejected', tone: 'danger', icon: IconCircleX },
};

function Line({ receipt }: { receipt: PushReceipt }) {
  const { word, tone, icon } = table[receipt.outcome];
  return (
    <li>
      <span className="quiet">
        <RelativeTime at={receipt.receivedAt} isFocusable />
      </span>
      <Status icon={icon} tone={tone}>
        {word}
      </Status>
      <span>
        {receipt.reason && <span className={styles.why}>{receipt.reason}</span>}
        {receipt.excerpt !== null && <code className={styles.excerpt}>{receipt.excerpt}</code>}
      </span>
    </li>
  );
}

/** Outcome of the last payloads. Updates automatically. */
export function Receipts({ appId }: { appId: string }) {
  const { data, error, mutate } = usePushReceipts(useOrganizationId(), appId);
  return (
    <Section title="Last 20 payloads" aside="Stored for 7 days">
      <LoadedContent
        data={data}
        error={error}
        reload={mutate}
        errorTitle="Couldn’t load the payloads"
        refreshError="nothing"
        skeleton={<TableSkeleton label="Loading the payloads" rows={3} widths={[120, 80, '50%']} />}
        isEmpty={({ items }) => items.length === 0}
        empty={<p className="quiet">No payloads yet. Requests with an invalid key are not listed.</p>}
      >
        {({ items }) => (
          <ol className={styles.receipts} aria-live="polite">
            {items.map((receipt) => (
              <Line key={receipt.id} receipt={receipt} />
            ))}
          </ol>
        )}
      </LoadedContent>
    </Section>
  );
}
