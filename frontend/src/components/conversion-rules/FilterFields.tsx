import { ActionIcon, Button, Select, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { OPERATORS, takesValue } from '~/domain/conversions/rules';
import type { Condition, Operator } from '~/domain/conversions/rules';
import { icon } from '~/ui/icon';
import styles from './Rules.module.css';

const words: Record<Operator, string> = {
  equals: 'is',
  not_equals: 'is not',
  contains: 'contains',
  exists: 'has a value',
  not_exists: 'has no value',
};
const operators = OPERATORS.map((value) => ({ value, label: words[value] }));

/** The server accepts at most this many conditions. */
const MAX_CONDITIONS = 10;

interface ConditionLineProps {
  condition: Condition;
  position: number;
  fields: string[];
  onChange: (condition: Condition) => void;
  onRemove: () => void;
  isLocked?: boolean;
}

function ConditionLine({ condition, position, fields, onChange, onRemove, isLocked }: ConditionLineProps) {
  const { field, operator, value } = condition;
  const name = `condition ${position}`;
  return (
    <div className={styles.condition}>
      <Select
        searchable
        data={field === '' || fields.includes(field) ? fields : [field, ...fields]}
        value={field || null}
        placeholder="Field"
        disabled={isLocked}
        aria-label={`Field of ${name}`}
        onChange={(next) => onChange({ ...condition, field: next ?? '' })}
      />
      <Select
        data={operators}
        value={operator}
        disabled={isLocked}
        allowDeselect={false}
        aria-label={`Operator of ${name}`}
        onChange={(next) => onChange({ ...condition, operator: OPERATORS.find((one) => one === next) ?? operator })}
      />
      {takesValue(operator) && (
        <TextInput
          value={value}
          maxLength={200}
          placeholder="Value"
          disabled={isLocked}
          aria-label={`Value of ${name}`}
          onChange={(event) => onChange({ ...condition, value: event.currentTarget.value })}
        />
      )}
      <ActionIcon disabled={isLocked} aria-label={`Remove ${name}`} onClick={onRemove}>
        <IconTrash {...icon} />
      </ActionIcon>
    </div>
  );
}

interface FilterFieldsProps {
  filter: Condition[];
  fields: string[];
  onChange: (filter: Condition[]) => void;
  isLocked?: boolean;
}

/** The conditions that a record must meet, all of them. */
export const FilterFields = ({ filter, fields, onChange, isLocked }: FilterFieldsProps) => (
  <>
    {filter.length === 0 && <p className="quiet">Every record is an event.</p>}
    {filter.map((condition, index) => (
      <ConditionLine
        key={index}
        condition={condition}
        position={index + 1}
        fields={fields}
        isLocked={isLocked}
        onChange={(next) => onChange(filter.with(index, next))}
        onRemove={() => onChange(filter.toSpliced(index, 1))}
      />
    ))}
    <Button
      mt={8}
      size="xs"
      variant="default"
      leftSection={<IconPlus {...icon} />}
      disabled={isLocked === true || filter.length >= MAX_CONDITIONS}
      onClick={() => onChange([...filter, { field: '', operator: 'equals', value: '' }])}
    >
      Add condition
    </Button>
  </>
);
