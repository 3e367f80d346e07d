import { Checkbox, PasswordInput, Select, TextInput } from '@mantine/core';
import type { FieldValues, SchemaField } from './json-schema';
import styles from './SchemaFields.module.css';

interface SchemaFieldsProps {
  fields: SchemaField[];
  values: FieldValues;
  errors: Record<string, string | null>;
  onChange: (name: string, value: string) => void;
  /** A saved secret is never sent back: the field says that it may stay empty. */
  hasSavedSecret?: boolean;
}

function Field({
  field,
  value,
  error,
  onChange,
  hasSavedSecret,
}: { field: SchemaField; value: string; error: string | null } & Pick<SchemaFieldsProps, 'onChange' | 'hasSavedSecret'>) {
  const change = (next: string) => onChange(field.name, next);
  const shared = { label: field.title, description: field.description, error, name: field.name, withAsterisk: false };
  if (field.type === 'boolean')
    return (
      <Checkbox
        label={field.title}
        checked={value === 'true'}
        onChange={(event) => change(String(event.currentTarget.checked))}
      />
    );
  if (field.choices) return <Select {...shared} data={field.choices} value={value} onChange={(next) => change(next ?? '')} />;
  if (field.isSecret)
    return (
      <PasswordInput
        {...shared}
        value={value}
        autoComplete="new-password"
        placeholder={hasSavedSecret ? 'Saved; leave empty to keep it' : undefined}
        onChange={(event) => change(event.currentTarget.value)}
      />
    );
  return (
    <TextInput
      {...shared}
      value={value}
      placeholder={field.example ?? undefined}
      inputMode={field.type === 'integer' ? 'numeric' : undefined}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}

/** A form drawn from a connector's settings schema. */
export const SchemaFields = ({ fields, values, errors, onChange, hasSavedSecret }: SchemaFieldsProps) => (
  <div className={styles.fields}>
    {fields.map((field) => (
      <div key={field.name} className={styles.field} data-short={field.type === 'integer' || undefined}>
        <Field
          field={field}
          value={values[field.name] ?? ''}
          error={errors[field.name] ?? null}
          onChange={onChange}
          hasSavedSecret={hasSavedSecret}
        />
      </div>
    ))}
  </div>
);
