import { useState } from 'react';
import { ErrorText } from '~/components/feedback/ErrorText';
import { SchemaFields } from '~/components/settings-form/SchemaFields';
import type { Connector } from '~/api/types';
import { fieldsOf, initialValues, toPayload } from '~/domain/destinations/json-schema';
import { useAction } from '~/lib/use-action';
import { GatedButton } from '~/ui/inputs/GatedButton';
import styles from './KeyForm.module.css';

interface KeyFormProps {
  connector: Connector;
  /** Checks and saves the key. */
  onSubmit: (credentials: Record<string, unknown>) => Promise<unknown>;
  submitLabel: string;
  disabledReason: string | null;
}

/** The fields of a provider without sign-in, from its schema. The server checks them at the provider and never returns them. */
export function KeyForm({ connector, onSubmit, submitLabel, disabledReason }: KeyFormProps) {
  const fields = fieldsOf(connector.credentials[0]?.schema ?? null);
  const [values, setValues] = useState(() => initialValues(fields));
  const { run, isBusy, error } = useAction();
  const isEmpty = fields.some(({ name, isRequired }) => isRequired && (values[name] ?? '').trim() === '');
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty) void run(() => onSubmit(toPayload(fields, values)));
      }}
    >
      <SchemaFields
        fields={fields}
        values={values}
        errors={{}}
        isLocked={disabledReason !== null}
        onChange={(name, value) => setValues((before) => ({ ...before, [name]: value }))}
      />
      {error !== null && <ErrorText error={error} />}
      <span>
        <GatedButton type="submit" disabledReason={disabledReason} waitsFor={isEmpty ? 'Enter the key' : null} loading={isBusy}>
          {submitLabel}
        </GatedButton>
      </span>
    </form>
  );
}
