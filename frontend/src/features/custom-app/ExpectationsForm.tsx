import { Button, Textarea, TextInput } from '@mantine/core';
import { useSWRConfig } from 'swr';
import { updatePushEndpoint } from '~/api/custom-apps';
import { keysOf } from '~/api/http/keys';
import type { PushEndpoint } from '~/api/types';
import { useOrganizationId } from '~/session/organization-context';
import { ConflictNotice } from '~/components/feedback/ConflictNotice';
import { ErrorText } from '~/components/feedback/ErrorText';
import { useVersionedForm } from '~/components/feedback/use-versioned-form';
import { Gated } from '~/ui/inputs/GatedButton';
import { toast } from '~/components/feedback/toast';
import styles from './CustomApp.module.css';
import { expectationsOf, schemaError, toExpectations } from './expectations';

interface ExpectationsFormProps {
  appId: string;
  endpoint: PushEndpoint;
  disabledReason: string | null;
}

function useExpectations(appId: string, endpoint: PushEndpoint) {
  const organizationId = useOrganizationId();
  const { mutate } = useSWRConfig();
  const form = useVersionedForm({
    latest: endpoint,
    valuesOf: expectationsOf,
    refresh: () => mutate(keysOf(organizationId, 'pushEndpoint')),
  });
  const store = (version: number) => updatePushEndpoint(organizationId, appId, { ...toExpectations(form.values), version });
  const save = async () => {
    if (await form.run(() => form.save(store))) toast.done('Saved, applies to new events');
  };
  return { ...form, save };
}

/** JSON Schema of events and the field for deduplication. */
export function ExpectationsForm({ appId, endpoint, disabledReason }: ExpectationsFormProps) {
  const form = useExpectations(appId, endpoint);
  const { values, change, conflict, failure } = form;
  const isLocked = disabledReason !== null;
  const schemaProblem = schemaError(values.schema);
  return (
    <div className={styles.form}>
      <Textarea
        label="Schema"
        className={styles.json}
        description="JSON Schema of one event. Leave empty to accept any object. Patterns and references are not supported."
        placeholder={'{ "type": "object", "required": ["orderId"], "properties": { "orderId": { "type": "string" } } }'}
        value={values.schema}
        disabled={isLocked}
        error={schemaProblem}
        maxRows={18}
        spellCheck={false}
        onChange={(event) => change({ schema: event.currentTarget.value })}
      />
      <TextInput
        label="Deduplication field"
        description="An event with a known value is counted as a duplicate and not stored. Leave empty to store all events."
        placeholder="orderId"
        value={values.dedupeField}
        disabled={isLocked}
        maxLength={64}
        onChange={(event) => change({ dedupeField: event.currentTarget.value })}
      />
      {conflict.isOpen && (
        <ConflictNotice what="this endpoint" onTakeTheirs={conflict.takeTheirs} onKeepMine={conflict.keepMine} />
      )}
      {failure !== null && <ErrorText error={failure} />}
      <div className={styles.foot}>
        <Gated disabledReason={disabledReason}>
          <Button
            variant="default"
            loading={form.isBusy}
            disabled={isLocked || form.isSame || schemaProblem !== null || conflict.isOpen}
            onClick={() => void form.save()}
          >
            Save
          </Button>
        </Gated>
      </div>
    </div>
  );
}
