import { Button, Select } from '@mantine/core';
import { useState } from 'react';
import { useSWRConfig } from 'swr';
import { keys } from '~/api/http/keys';
import { createNotificationRule, useWebhooks } from '~/api/notifications';
import { useOrganizationProfile } from '~/api/organization';
import type { NotificationRule } from '~/api/types';
import { ErrorText } from '~/components/feedback/ErrorText';
import { useAction } from '~/lib/use-action';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import styles from './Notifications.module.css';
import { type RuleChoice, ruleChoices } from './rule-choices';

/** Adds a rule for a role, the app or a webhook that has none. */
export function AddRule({ rules }: { rules: NotificationRule[] }) {
  const organizationId = useOrganizationId();
  const { mutate } = useSWRConfig();
  const { run, isBusy, error } = useAction();
  const { data: organization } = useOrganizationProfile(organizationId);
  const mayReadWebhooks = usePermissionGate('webhooks.read') === null && organization !== undefined;
  const webhooks = useWebhooks(organizationId, mayReadWebhooks);
  const [value, setValue] = useState<string | null>(null);
  const choices = ruleChoices(rules, webhooks.data?.items ?? []);
  const chosen = choices.find((choice) => choice.value === value);
  if (choices.length === 0) return null;
  const add = async ({ rule }: RuleChoice) => {
    await createNotificationRule(organizationId, rule);
    // The next click would add the rule a second time.
    await mutate(keys.notificationRules(organizationId));
    setValue(null);
  };
  return (
    <div className={styles.add}>
      <Select
        label="Also send alerts to"
        data={choices.map((choice) => ({ value: choice.value, label: choice.label }))}
        value={chosen?.value ?? null}
        placeholder="Choose a recipient"
        allowDeselect={false}
        onChange={setValue}
      />
      <Button loading={isBusy} disabled={!chosen} onClick={() => chosen && void run(() => add(chosen))}>
        Add rule
      </Button>
      {webhooks.error !== undefined && <ErrorText error={webhooks.error} />}
      {error !== null && <ErrorText error={error} />}
    </div>
  );
}
