import { Button, TextInput } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import type { FlowState } from '~/domain/navigation/flow-state';
import { ErrorNotice } from '~/components/feedback/ErrorNotice';
import { ErrorText } from '~/components/feedback/ErrorText';
import type { FieldProblem } from '~/lib/focus-field';
import { icon } from '~/ui/icon';
import { toPayload } from '~/domain/destinations/json-schema';
import { KeyFileField } from '~/components/settings-form/KeyFileField';
import { SchemaFields } from '~/components/settings-form/SchemaFields';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { useApps } from '~/api/apps';
import { useCatalog } from '~/api/catalog';
import type { App, CheckItem, Connector, Destination } from '~/api/types';
import { Checks } from './Checks';
import { DemoKey } from './DemoKey';
import { ConnectionUrl } from './ConnectionUrl';
import styles from './DestinationForm.module.css';
import { inReadingOrder, KEY_FILE_FIELD, NAME_FIELD } from './form-values';
import { deleteFormStart, saveFormStart, formStartOf } from './start-values';
import { useDestinationForm } from './use-destination-form';
import type { CheckAction, DestinationFormState, FormStart, SubmitDestination } from './use-destination-form';
import { authMethodsFor, authMethodsOfSaved } from './auth-methods';
import type { AuthMethod } from './auth-methods';
import { AuthMethodField } from './AuthMethodField';

export interface FooterParts {
  /** The button that tests the input. It is beside the submit button. */
  testButton: React.ReactNode;
  submit: () => void;
  /** Only the button of the running action shows that it runs; the other one is disabled. Null when nothing is running. */
  running: CheckAction | null;
  isDirty: boolean;
  /** Why the input cannot be submitted yet; null when it can. */
  waitsFor: string | null;
  /** The fields that the last attempt rejected. */
  problems: FieldProblem[];
}

interface DestinationFormProps {
  organizationId: string;
  provider: string;
  /** null for a new destination. A saved secret is kept when its field is empty. */
  saved: Destination | null;
  /** The initially selected app, such as one that was just connected. */
  appId?: string | null;
  /** Where the flow started, for the page after a sign-in. */
  from?: FlowState['storedFrom'];
  onSubmit: SubmitDestination;
  /** Why the user cannot change the form; null when they can. */
  disabledReason?: string | null;
  /** The result of the last check of the saved destination, and a function that checks it again. */
  lastItems?: CheckItem[] | null;
  /** The error that the page shows above the form. */
  shownAbove?: string;
  onCheckSaved?: () => Promise<void>;
  /** The input of an earlier visit; null for the defaults. */
  start?: FormStart | null;
  /** Called with the new input, without secrets. */
  onTyped?: (input: FormStart) => void;
  /** Whether the caller keeps the input of `onTyped`, so that leaving needs no question. */
  isDraftSaved?: boolean;
  /** Shown above the form after a conflicting change. */
  conflict?: React.ReactNode;
  /** Renders the buttons: in the wizard's footer or on the page. */
  footer: (parts: FooterParts) => React.ReactNode;
}

/** Why the last check or save failed. A failed step is shown in the list of steps, so it is only announced here. */
function Failure({ failure, items }: { failure: unknown; items: CheckItem[] | null }) {
  const failed = items?.find(({ state }) => state === 'failed');
  if (!failed) return <ErrorText error={failure} />;
  return (
    <p role="alert" className="visually-hidden">
      The check failed at “{failed.label}”.
    </p>
  );
}

/** The fields of the settings and of the secrets; each has its own schema. */
function Fields({ state, isLocked }: { state: DestinationFormState; isLocked: boolean }) {
  const { settings, secrets, values, errors, mayKeep, fill } = state;
  const keyFile = secrets.find(({ name }) => name === KEY_FILE_FIELD);
  const shared = {
    values,
    errors,
    keptFields: mayKeep ? secrets.map(({ name }) => name) : [],
    isLocked,
    onChange: (field: string, value: string) => fill({ [field]: value }),
  };
  return (
    <>
      {keyFile && (
        <KeyFileField
          name={keyFile.name}
          label={keyFile.title}
          description={keyFile.description}
          value={values[keyFile.name] ?? ''}
          error={errors[keyFile.name] ?? null}
          hasSavedSecret={mayKeep}
          isLocked={isLocked}
          onChange={(text) => fill({ [keyFile.name]: text })}
        />
      )}
      <SchemaFields
        fields={inReadingOrder(
          settings,
          secrets.filter((field) => field !== keyFile),
        )}
        {...shared}
      />
    </>
  );
}

type FormProps = DestinationFormProps & { connector: Connector; apps: App[] };

function useFormState(props: FormProps, methods: AuthMethod[]) {
  const { connector, organizationId, provider, saved, appId = null } = props;
  return useDestinationForm({
    organizationId,
    connector,
    saved,
    start: props.start ?? formStartOf(organizationId, provider, saved),
    methods,
    initialMethodId: appId,
    lastItems: props.lastItems ?? null,
    shownAbove: props.shownAbove,
    onCheckSaved: props.onCheckSaved ?? null,
    onTyped: (input) => props.onTyped?.(input),
    isDraftSaved: props.isDraftSaved ?? false,
    onSubmit: async (input, endGuard) => {
      await props.onSubmit(input, endGuard);
      if (!saved) deleteFormStart(organizationId, provider);
    },
  });
}

const mustSignIn = ({ method }: DestinationFormState): boolean => method?.kind === 'signIn';

function TestButton({ state, isLocked }: { state: DestinationFormState; isLocked: boolean }) {
  return (
    <Button
      variant="default"
      leftSection={<IconPlugConnected {...icon} />}
      loading={state.check.running === 'test'}
      disabled={mustSignIn(state) || isLocked || state.check.running === 'save'}
      onClick={() => void state.testConnection()}
    >
      Test connection
    </Button>
  );
}

function Form(props: FormProps) {
  const { connector, apps, organizationId, provider, saved, from = null, disabledReason = null, footer } = props;
  const isLocked = disabledReason !== null;
  const methods = saved ? authMethodsOfSaved(saved, connector) : authMethodsFor(connector, apps);
  const state = useFormState(props, methods);
  const { name, rename, values, check, settings } = state;
  return (
    <div className={styles.both}>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isLocked) void state.submit();
        }}
      >
        {props.conflict}
        {check.failure !== null && <Failure failure={check.failure} items={check.items} />}
        {saved === null && provider === 'postgresql' && !isLocked && <ConnectionUrl onUse={state.fill} />}
        {saved === null && !isLocked && !mustSignIn(state) && <DemoKey provider={provider} onUse={state.fill} />}
        <TextInput
          label="Name"
          data-field={NAME_FIELD}
          value={name}
          disabled={isLocked}
          maxLength={120}
          error={name.trim() === '' ? 'Enter a name' : null}
          onChange={(event) => rename(event.currentTarget.value)}
        />
        <AuthMethodField
          organizationId={organizationId}
          provider={provider}
          methods={methods}
          chosen={state.method}
          isLocked={isLocked}
          onChoose={state.setMethodId}
          from={from}
          returnTo={location.pathname}
          onLeave={() => {
            saveFormStart(organizationId, provider, { name, settings: toPayload(settings, values) });
            state.endEditing();
          }}
        />
        <Fields state={state} isLocked={isLocked} />
        <button type="submit" hidden />
      </form>
      <Checks provider={provider} state={check} shownAtFields={state.markedChecks} />
      <div className={styles.footer}>
        {footer({
          testButton: <TestButton state={state} isLocked={isLocked} />,
          submit: () => void state.submit(),
          running: check.running,
          isDirty: state.isDirty,
          waitsFor: mustSignIn(state) ? 'Sign in, or choose another sign-in method' : null,
          problems: state.problems,
        })}
      </div>
    </div>
  );
}

/** The form of a provider, generated from its schemas, with the steps of the check. */
export function DestinationForm(props: DestinationFormProps) {
  const { provider, organizationId } = props;
  const catalog = useCatalog();
  const apps = useApps(organizationId);
  const connector = catalog.data?.connectors.find((one) => one.provider === provider);
  const error: unknown = catalog.error ?? apps.error;
  if (error !== undefined && (!connector || !apps.data))
    return (
      <ErrorNotice
        error={error}
        title="Couldn't load the form"
        onRetry={() => void Promise.all([catalog.mutate(), apps.mutate()])}
      />
    );
  if (!catalog.data || !apps.data) return <TableSkeleton label="Loading the form" rows={5} widths={['50%', '20%']} />;
  if (!connector) return <p className="quiet">This instance does not support this destination.</p>;
  return <Form key={provider} {...props} connector={connector} apps={apps.data.items} />;
}
