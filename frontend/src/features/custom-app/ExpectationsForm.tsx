import { Button, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useSWRConfig } from 'swr';
import { updatePushEndpoint } from '~/api/custom-apps';
import { keysOf } from '~/api/http/keys';
import { isConflict } from '~/api/http/problem';
import type { PushEndpoint } from '~/api/types';
import { useTypedOver } from '~/lib/use-typed-over';
import { useOrganizationId } from '~/session/organization-context';
import { ConflictNotice } from '~/components/feedback/ConflictNotice';
import { ErrorText } from '~/components/feedback/ErrorNotice';
import { Gated } from '~/ui/inputs/GatedButton';
import { toast } from '~/components/feedback/toast';
import styles from './CustomApp.module.css';
import { expectationsOf, schemaError, toExpectations } from './expectations';
import type { Expectations } from './expectations';

interface ExpectationsFormProps {
  appId: string;
  endpoint: PushEndpoint;
  disabledReason: string | null;
}

function useExpectations(appId: string, endpoint: PushEndpoint) {
  const organizationId = useOrganizationId();
  const { mutate } = useSWRConfig();
  const typed = useTypedOver(endpoint);
  const [edited, setEdited] = useState<Expectations | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const start = expectationsOf(typed.base);
  const values = edited ?? start;
  const isSame = JSON.stringify(values) === JSON.stringify(start);
  const save = async () => {
    setBusy(true);
    setFailure(null);
    try {
      await typed.save((version) => updatePushEndpoint(organizationId, appId, { ...toExpectations(values), version }));
      await mutate(keysOf(organizationId, 'pushEndpoint'));
      setEdited(null);
      toast.done('Saved, applies to new events');
    } catch (error) {
      if (isConflict(error)) await mutate(keysOf(organizationId, 'pushEndpoint'));
      else setFailure(error);
    }
    setBusy(false);
  };
  const change = (part: Partial<Expectations>) => {
    typed.noteTyping();
    setEdited((before) => ({ ...(before ?? start), ...part }));
  };
  const takeTheirs = () => {
    setEdited(null);
    typed.takeTheirs();
  };
  return {
    values,
    change,
    save,
    isBusy,
    isSame,
    failure,
    isConflict: typed.isConflict && !isSame,
    keepMine: typed.keepMine,
    takeTheirs,
  };
}

/** JSON Schema of events and the field for deduplication. */
export function ExpectationsForm({ appId, endpoint, disabledReason }: ExpectationsFormProps) {
  const form = useExpectations(appId, endpoint);
  const { values, change, failure } = form;
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
      {form.isConflict && <ConflictNotice what="this endpoint" onTakeTheirs={form.takeTheirs} onKeepMine={form.keepMine} />}
      {failure !== null && <ErrorText error={failure} />}
      <div className={styles.foot}>
        <Gated disabledReason={disabledReason}>
          <Button
            variant="default"
            loading={form.isBusy}
            disabled={isLocked || form.isSame || schemaProblem !== null || form.isConflict}
            onClick={() => void form.save()}
          >
            Save
          </Button>
        </Gated>
      </div>
    </div>
  );
}
