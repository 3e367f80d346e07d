import { Button, Checkbox, Switch } from '@mantine/core';
import { useState } from 'react';
import { useSWRConfig } from 'swr';
import { keys, keysOf } from '~/api/http/keys';
import { deleteNotificationRule, restoreNotificationRule, updateNotificationRule } from '~/api/notifications';
import type { NotificationRule, NotificationRuleChange, RuleEvent } from '~/api/types';
import { DeleteDialog } from '~/components/feedback/DeleteDialog';
import { ErrorText } from '~/components/feedback/ErrorText';
import { useAction } from '~/lib/use-action';
import { useOrganizationId } from '~/session/organization-context';
import styles from './Notifications.module.css';
import { describeRule, eventsFor, eventWords } from './rule-words';

type Changes = Omit<NotificationRuleChange, 'version'>;

interface RuleEventsProps {
  rule: NotificationRule;
  isLocked: boolean;
  onChange: (changes: Changes) => void;
}

function RuleEvents({ rule, isLocked, onChange }: RuleEventsProps) {
  const { channel, events, includesRecovery } = rule;
  const toggle = (event: RuleEvent, isChosen: boolean) =>
    onChange({ events: isChosen ? [...events, event] : events.filter((one) => one !== event) });
  // A rule has at least one event.
  const isOnly = (event: RuleEvent) => events.length === 1 && events[0] === event;
  return (
    <div role="group" aria-label={describeRule(rule)} className={styles.events}>
      {eventsFor(channel).map((event) => (
        <Checkbox
          key={event}
          label={eventWords[event]}
          checked={events.includes(event)}
          disabled={isLocked || isOnly(event)}
          onChange={({ currentTarget }) => toggle(event, currentTarget.checked)}
        />
      ))}
      {channel !== 'in_app' && (
        <Checkbox
          label="Also when an alert recovers"
          checked={includesRecovery}
          disabled={isLocked}
          onChange={({ currentTarget }) => onChange({ includesRecovery: currentTarget.checked })}
        />
      )}
    </div>
  );
}

const stopsOf = ({ channel, endpoint }: NotificationRule): string => {
  if (channel === 'in_app') return 'The number of open alerts in the menu, for all members';
  return channel === 'mail' ? 'The mails of this rule' : `Notifications to ${endpoint?.name ?? ''}`;
};

function DeleteRuleDialog({ rule, onClose }: { rule: NotificationRule; onClose: () => void }) {
  const organizationId = useOrganizationId();
  const { mutate } = useSWRConfig();
  const name = describeRule(rule);
  const reload = () => mutate(keysOf(organizationId, 'notificationRules', 'alerts'));
  return (
    <DeleteDialog
      name={`Rule “${name}”`}
      title={`Delete the rule “${name}”?`}
      kind="rule"
      onClose={onClose}
      stops={[stopsOf(rule)]}
      stays={['Alerts', 'Other rules']}
      onDelete={() => deleteNotificationRule(organizationId, rule.id)}
      onDeleted={reload}
      onRestore={async () => {
        await restoreNotificationRule(organizationId, rule.id);
        await reload();
      }}
    />
  );
}

/** A rule. Each change is saved at once. */
export function RuleRow({ rule, isLocked }: { rule: NotificationRule; isLocked: boolean }) {
  const organizationId = useOrganizationId();
  const { mutate } = useSWRConfig();
  const { run, isBusy, error } = useAction();
  const [isDeleting, setDeleting] = useState(false);
  const name = describeRule(rule);
  const save = (work: () => Promise<unknown>) =>
    void run(async () => {
      try {
        await work();
      } finally {
        // After a conflict too, so that the next try is based on the newest version.
        await mutate(keys.notificationRules(organizationId));
      }
    });
  const change = (changes: Changes) =>
    save(() => updateNotificationRule(organizationId, rule.id, { ...changes, version: rule.version }));
  return (
    <li className={styles.rule}>
      <div className={styles.head}>
        <h3 className={styles.name}>{name}</h3>
        <Switch
          label="Enabled"
          aria-label={`${name}: enabled`}
          checked={rule.isEnabled}
          disabled={isLocked || isBusy}
          onChange={({ currentTarget }) => change({ isEnabled: currentTarget.checked })}
        />
        <Button
          size="xs"
          variant="subtle"
          disabled={isLocked || isBusy}
          aria-label={`Delete ${name}`}
          onClick={() => setDeleting(true)}
        >
          Delete
        </Button>
      </div>
      <RuleEvents rule={rule} isLocked={isLocked || isBusy} onChange={change} />
      {error !== null && <ErrorText error={error} />}
      {isDeleting && <DeleteRuleDialog rule={rule} onClose={() => setDeleting(false)} />}
    </li>
  );
}
