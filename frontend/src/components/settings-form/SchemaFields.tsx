import { Checkbox, PasswordInput, Radio, Select, Textarea, TextInput } from '@mantine/core';
import { explainChoices } from '~/domain/destinations/explained-choices';
import { listOf } from '~/domain/destinations/json-schema';
import type { FieldValues, SchemaField } from '~/domain/destinations/json-schema';
import styles from './SchemaFields.module.css';

interface SchemaFieldsProps {
  fields: SchemaField[];
  values: FieldValues;
  errors: Record<string, string | null>;
  onChange: (name: string, value: string) => void;
  /** Fields with a saved secret, which the server never returns. Their placeholder says that they can be empty. */
  keptFields?: readonly string[];
  isLocked?: boolean;
}

interface ListFieldProps {
  field: SchemaField;
  value: string;
  error: string | null;
  onChange: (value: string) => void;
  isLocked?: boolean;
}

const titleOf = ({ choiceTitles }: SchemaField, choice: string): string => choiceTitles[choice] ?? choice;

/** A list of checkboxes. The value keeps the order of the schema. */
const ListField = ({ field, value, error, onChange, isLocked }: ListFieldProps) => (
  <Checkbox.Group
    label={field.title}
    description={field.description}
    error={error}
    value={listOf(value)}
    disabled={isLocked}
    onChange={(chosen) => onChange((field.choices ?? []).filter((choice) => chosen.includes(choice)).join(','))}
  >
    <div className={styles.list}>
      {field.choices?.map((choice) => (
        <Checkbox key={choice} value={choice} label={<code>{choice}</code>} disabled={isLocked} />
      ))}
    </div>
  </Checkbox.Group>
);

/** Up to this many choices are shown with explanations. More choices are a select. */
const MAX_EXPLAINED = 3;

function meaningsOf({ choices, description }: SchemaField): Record<string, string> | null {
  return choices && choices.length <= MAX_EXPLAINED ? explainChoices(description, choices) : null;
}

interface ExplainedFieldProps extends ListFieldProps {
  meanings: Record<string, string>;
}

/** Radio buttons with an explanation of each choice. */
const ExplainedField = ({ field, value, error, onChange, isLocked, meanings }: ExplainedFieldProps) => (
  <Radio.Group label={field.title} error={error} name={field.name} value={value} onChange={onChange}>
    <div className={styles.explained}>
      {field.choices?.map((choice) => (
        <Radio key={choice} value={choice} label={titleOf(field, choice)} description={meanings[choice]} disabled={isLocked} />
      ))}
    </div>
  </Radio.Group>
);

const KEPT = 'Saved. Leave empty to keep it';

interface FieldProps extends Pick<SchemaFieldsProps, 'onChange' | 'isLocked'> {
  field: SchemaField;
  value: string;
  error: string | null;
  isKept: boolean;
}

const sharedProps = ({ field, value, error, isLocked }: FieldProps) => ({
  ...{ label: field.title, description: field.description, name: field.name },
  ...{ value, error, disabled: isLocked, withAsterisk: false },
});

function TypedField(props: FieldProps) {
  const { field, isKept, onChange } = props;
  const shared = {
    ...sharedProps(props),
    onChange: (event: React.ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      onChange(field.name, event.currentTarget.value),
  };
  if (field.isSecret) return <PasswordInput {...shared} autoComplete="new-password" placeholder={isKept ? KEPT : undefined} />;
  if (field.isSql) return <Textarea {...shared} classNames={{ input: styles.sql }} autoComplete="off" spellCheck={false} />;
  return (
    <TextInput
      {...shared}
      placeholder={isKept ? KEPT : (field.example ?? undefined)}
      inputMode={field.type === 'integer' ? 'numeric' : undefined}
      autoComplete="off"
      spellCheck={false}
    />
  );
}

function Field(props: FieldProps) {
  const { field, value, error, onChange, isLocked } = props;
  const change = (next: string) => onChange(field.name, next);
  if (field.type === 'boolean')
    return (
      <Checkbox
        label={field.title}
        checked={value === 'true'}
        disabled={isLocked}
        onChange={(event) => change(String(event.currentTarget.checked))}
      />
    );
  if (field.type === 'list') return <ListField field={field} value={value} error={error} onChange={change} isLocked={isLocked} />;
  const meanings = meaningsOf(field);
  if (meanings)
    return <ExplainedField field={field} value={value} error={error} onChange={change} isLocked={isLocked} meanings={meanings} />;
  if (!field.choices) return <TypedField {...props} />;
  const data = field.choices.map((choice) => ({ value: choice, label: titleOf(field, choice) }));
  return <Select {...sharedProps(props)} data={data} onChange={(next) => change(next ?? '')} />;
}

/** The fields of a connector's settings schema. */
export const SchemaFields = ({ fields, values, errors, onChange, keptFields = [], isLocked }: SchemaFieldsProps) => (
  <div className={styles.fields}>
    {fields.map((field) => (
      <div
        key={field.name}
        className={styles.field}
        data-field={field.name}
        data-short={field.type === 'integer' || undefined}
        data-wide={field.type === 'list' || field.isSql || meaningsOf(field) !== null || undefined}
      >
        <Field
          field={field}
          value={values[field.name] ?? ''}
          error={errors[field.name] ?? null}
          onChange={onChange}
          isKept={keptFields.includes(field.name)}
          isLocked={isLocked}
        />
      </div>
    ))}
  </div>
);
