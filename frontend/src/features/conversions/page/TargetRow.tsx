import { Button, Select } from '@mantine/core';
import { useState } from 'react';
import { useConversionTargets } from '~/api/conversions/conversion-setup';
import type { Conversion, ConversionTargetChoice } from '~/api/types';
import { ErrorText } from '~/components/feedback/ErrorText';
import { sameTarget } from '~/domain/conversions/target-key';
import { useOrganizationId } from '~/session/organization-context';
import { SettingRow } from '~/ui/layout/SettingRow';
import styles from './Tabs.module.css';

type Target = Pick<ConversionTargetChoice, 'name' | 'settings'>;

interface TargetRowProps {
  conversion: Conversion;
  value: Target;
  isLocked: boolean;
  onChange: (target: Target) => void;
}

/** The platform is asked for the list on request. */
function Choice({ conversion, value, isLocked, onChange }: TargetRowProps) {
  const { appId, accountId } = conversion.target;
  const [isOpen, setOpen] = useState(false);
  const { data, error, isValidating, mutate } = useConversionTargets(useOrganizationId(), isOpen ? { appId, accountId } : null);
  const load = () => (isOpen ? void mutate() : setOpen(true));
  if (!data)
    return (
      <>
        <div className={styles.pause}>
          <span>{value.name}</span>
          <Button variant="default" disabled={isLocked} loading={isValidating} onClick={load}>
            Choose another
          </Button>
        </div>
        {error !== undefined && <ErrorText error={error} />}
      </>
    );
  const { items } = data;
  const chosen = items.findIndex((item) => sameTarget(item, value));
  return (
    <Select
      aria-label="Destination action"
      placeholder={value.name}
      data={items.map(({ name, kind, problem }, index) => ({
        value: String(index),
        label: `${name}, ${problem ?? kind}`,
        disabled: problem !== null,
      }))}
      value={chosen === -1 ? null : String(chosen)}
      allowDeselect={false}
      disabled={isLocked}
      onChange={(index) => {
        const item = items[Number(index)];
        if (item) onChange({ name: item.name, settings: item.settings });
      }}
    />
  );
}

/** What receives the events, in the same ad account. */
export const TargetRow = (props: TargetRowProps) => (
  <SettingRow
    title="Sends to"
    hint="Events that wait are sent to the new choice. Refunds of orders that were sent before are not."
  >
    <Choice {...props} />
  </SettingRow>
);
