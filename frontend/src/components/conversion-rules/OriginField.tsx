import { Select, TextInput } from '@mantine/core';
import type { Origin } from '~/domain/conversions/event-fields';
import styles from './Rules.module.css';

/** No field of a record is longer than 200 characters, so this is none. */
const CONSTANT = 'constant:'.padEnd(201, ' ');
const NONE = 'none:'.padEnd(201, ' ');

interface OriginFieldProps {
  label: string;
  origin: Origin | undefined;
  /** The fields of the records. */
  fields: string[];
  onChange: (origin: Origin | undefined) => void;
  isRecordOnly?: boolean;
  isLocked?: boolean;
  children?: React.ReactNode;
}

const selectedOf = (origin: Origin | undefined): string => (!origin ? NONE : 'field' in origin ? origin.field : CONSTANT);

/** A field that is no longer in the records stays selectable, so that opening the form changes nothing. */
function choicesOf(origin: Origin | undefined, fields: string[], isRecordOnly: boolean) {
  const known = origin && 'field' in origin && !fields.includes(origin.field) ? [origin.field, ...fields] : fields;
  return [
    { value: NONE, label: 'Not sent' },
    ...known.map((field) => ({ value: field, label: field })),
    ...(isRecordOnly ? [] : [{ value: CONSTANT, label: 'A constant for all events' }]),
  ];
}

/** Where one field of an event comes from. */
export function OriginField(props: OriginFieldProps) {
  const { label, origin, fields, onChange, isRecordOnly = false, isLocked, children } = props;
  const select = (chosen: string | null) => {
    if (chosen === null || chosen === NONE) onChange(undefined);
    else onChange(chosen === CONSTANT ? { value: '' } : { field: chosen });
  };
  return (
    <div className={styles.field}>
      <span>{label}</span>
      <div className={styles.inputs}>
        <Select
          searchable
          data={choicesOf(origin, fields, isRecordOnly)}
          value={selectedOf(origin)}
          disabled={isLocked}
          allowDeselect={false}
          aria-label={label}
          onChange={select}
        />
        {origin && 'value' in origin && (
          <TextInput
            value={origin.value}
            maxLength={200}
            disabled={isLocked}
            placeholder="Constant"
            aria-label={`Constant of ${label}`}
            onChange={(event) => onChange({ value: event.currentTarget.value })}
          />
        )}
        {children}
      </div>
    </div>
  );
}
