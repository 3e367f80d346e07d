import { useNotificationRules } from '~/api/notifications';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { LockedReason } from '~/ui/feedback/LockedReason';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { Section } from '~/ui/layout/Page';
import { AddRule } from './AddRule';
import styles from './Notifications.module.css';
import { RuleRow } from './RuleRow';

/** Who is notified of which alerts. Every member may read it. */
export function NotificationsTab() {
  const { data, error, mutate } = useNotificationRules(useOrganizationId());
  const disabledReason = usePermissionGate('notifications.write');
  return (
    <Section title="Rules">
      <p className={styles.hint}>Each alert is notified once when it opens and once when it recovers.</p>
      {disabledReason !== null && <LockedReason>{disabledReason}</LockedReason>}
      <LoadedContent
        data={data}
        error={error}
        reload={mutate}
        errorTitle="Couldn’t load notification rules"
        refreshError="notice with age"
        skeleton={<TableSkeleton label="Loading notification rules" rows={2} widths={['40%', 80, 80]} />}
        isEmpty={({ items }) => items.length === 0}
        empty={<p className={styles.none}>No rules. Nobody is notified of alerts.</p>}
      >
        {({ items }) => (
          <ul className={styles.list} aria-label="Notification rules">
            {items.map((rule) => (
              <RuleRow key={rule.id} rule={rule} isLocked={disabledReason !== null} />
            ))}
          </ul>
        )}
      </LoadedContent>
      {disabledReason === null && data && <AddRule rules={data.items} />}
    </Section>
  );
}
