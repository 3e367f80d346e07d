import { Anchor, Button, TextInput } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { useState } from 'react';
import useSWR from 'swr';
import { parsePostgresUrl } from '../../lib/postgres-url';
import { fieldError, fieldsOf, initialValues, toPayload } from '../../ui/json-schema';
import type { FieldValues, PayloadValue, SchemaField } from '../../ui/json-schema';
import { CheckList, passedCount, PendingCheckList } from '../../ui/CheckList';
import { ErrorNotice, ErrorText } from '../../ui/ErrorNotice';
import { icon } from '../../ui/icon';
import { SchemaFields } from '../../ui/SchemaFields';
import { useCatalog } from '../apps';
import { loadConfig } from '../config';
import { checkSettings } from '../destinations';
import styles from './DestinationForm.module.css';
import { ApiProblem } from '../problem';
import type { CheckItem, Connector, Destination } from '../types';

/** The steps of the check, in its order, for the time until the answer comes. */
const CHECK_STEPS = [
  'The host name is known',
  'The server answers',
  'The connection is encrypted as asked',
  'The user may sign in',
  'The database exists',
  'The schema exists or can be made',
  'Tables can be made',
  'What was written can be read back',
];

export interface DestinationFormInput {
  name: string;
  settings: Record<string, PayloadValue>;
  credentials: Record<string, PayloadValue>;
}

interface DestinationFormProps {
  organizationId: string;
  /** null for a new one; a saved password stays when its field is left empty. */
  saved: Destination | null;
  onSubmit: (input: DestinationFormInput) => Promise<void>;
  /** The place of the button that submits: the wizard's footer or the page's own. */
  footer: (submit: () => void, isDirty: boolean) => React.ReactNode;
}

const errorsOf = (fields: SchemaField[], values: FieldValues, hasSavedSecret: boolean): Record<string, string | null> =>
  Object.fromEntries(
    fields.map((field) => {
      const value = values[field.name] ?? '';
      return [field.name, field.isSecret && hasSavedSecret && value === '' ? null : fieldError(field, value)];
    }),
  );

interface CheckState {
  isRunning: boolean;
  items: CheckItem[] | null;
  failure: unknown;
}

function Checks({ state }: { state: CheckState }) {
  return (
    <section className={styles.checks} aria-label="Checks">
      <div className={styles.checksHead}>
        <h2>Checks</h2>
        {state.items && !state.isRunning && <span className="label">{passedCount(state.items)}</span>}
      </div>
      {state.isRunning && <PendingCheckList labels={CHECK_STEPS} />}
      {!state.isRunning && state.items && <CheckList items={state.items} />}
      {!state.isRunning && !state.items && (
        <p className="label">Each step is tried on the server itself before anything is saved.</p>
      )}
      {state.failure !== null && !state.isRunning && state.items === null && <ErrorText error={state.failure} />}
    </section>
  );
}

/** Fills in the form from a URL; the URL itself is not kept. */
function ConnectionUrl({ onUse }: { onUse: (values: FieldValues) => void }) {
  const { data: config } = useSWR('config', loadConfig, { revalidateOnFocus: false });
  const [text, setText] = useState('');
  const ofDemo = config?.demoWarehouseUrl ? parsePostgresUrl(config.demoWarehouseUrl) : null;
  return (
    <TextInput
      label="Connection URL (optional)"
      description={
        <>
          Paste one to fill in the fields below.{' '}
          {ofDemo && (
            <Anchor component="button" type="button" inherit onClick={() => onUse(ofDemo)}>
              Use this demo’s warehouse
            </Anchor>
          )}
        </>
      }
      placeholder="postgresql://user:password@host:5432/database"
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={(event) => {
        const fields = parsePostgresUrl(event.currentTarget.value);
        setText(fields ? '' : event.currentTarget.value);
        if (fields) onUse(fields);
      }}
    />
  );
}

function Form({ connector, organizationId, saved, onSubmit, footer }: DestinationFormProps & { connector: Connector }) {
  const settingsFields = fieldsOf(connector.settingsSchema);
  const secretFields = fieldsOf(connector.credentials.find(({ schema }) => schema !== null)?.schema ?? null);
  const fields = [...settingsFields, ...secretFields];
  const [name, setName] = useState(saved?.name ?? 'Warehouse');
  const [values, setValues] = useState(() => initialValues(fields, { ...saved?.settings }));
  const [errors, setErrors] = useState<Record<string, string | null>>({});
  const [check, setCheck] = useState<CheckState>({ isRunning: false, items: saved?.lastCheck?.items ?? null, failure: null });
  const [isDirty, setDirty] = useState(false);

  const isValid = (): boolean => {
    const found = errorsOf(fields, values, saved !== null);
    setErrors(found);
    return name.trim() !== '' && Object.values(found).every((error) => error === null);
  };
  const input = (): DestinationFormInput => ({
    name: name.trim(),
    settings: toPayload(settingsFields, values),
    credentials: toPayload(secretFields, values),
  });
  const attempt = async (act: () => Promise<CheckItem[] | null>) => {
    if (!isValid()) return;
    setCheck({ isRunning: true, items: null, failure: null });
    try {
      const items = await act();
      setCheck({ isRunning: false, items, failure: null });
    } catch (error) {
      const items = error instanceof ApiProblem && error.checks.length > 0 ? error.checks : null;
      setCheck({ isRunning: false, items, failure: error });
    }
  };
  const tryOut = () =>
    attempt(async () => {
      const { settings, credentials } = input();
      return (await checkSettings(organizationId, { provider: 'postgresql', settings, credentials })).items;
    });
  const submit = () =>
    attempt(async () => {
      await onSubmit(input());
      setDirty(false);
      return null;
    });
  return (
    <div className={styles.both}>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {check.failure !== null && check.items !== null && !check.isRunning && <ErrorText error={check.failure} />}
        {saved === null && <ConnectionUrl onUse={(fields) => setValues((before) => ({ ...before, ...fields }))} />}
        <TextInput
          label="Name"
          value={name}
          error={name.trim() === '' ? 'Name is needed' : null}
          onChange={(event) => {
            setName(event.currentTarget.value);
            setDirty(true);
          }}
        />
        <SchemaFields
          fields={fields}
          values={values}
          errors={errors}
          hasSavedSecret={saved !== null}
          onChange={(field, value) => {
            setValues((before) => ({ ...before, [field]: value }));
            setErrors((before) => ({ ...before, [field]: null }));
            setDirty(true);
          }}
        />
        <div className={styles.buttons}>
          {(saved === null || values.password !== '') && (
            <Button
              variant="default"
              leftSection={<IconPlugConnected {...icon} />}
              loading={check.isRunning}
              onClick={() => void tryOut()}
            >
              Check
            </Button>
          )}
        </div>
        <button type="submit" hidden />
      </form>
      <Checks state={check} />
      <div className={styles.footer}>{footer(() => void submit(), isDirty)}</div>
    </div>
  );
}

/** The provider's own form, drawn from its schema, with each step of the check shown. */
export function DestinationForm(props: DestinationFormProps) {
  const { data, error, mutate } = useCatalog();
  const connector = data?.connectors.find(({ provider }) => provider === 'postgresql');
  if (error !== undefined && !connector)
    return <ErrorNotice error={error} title="The form could not be fetched" onRetry={() => void mutate()} />;
  return connector ? <Form {...props} connector={connector} /> : null;
}
