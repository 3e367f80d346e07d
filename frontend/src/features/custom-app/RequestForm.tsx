import { Button, Select, Textarea, TextInput } from '@mantine/core';
import type { Submission } from '~/api/types';
import { ConflictNotice } from '~/components/feedback/ConflictNotice';
import { ErrorText } from '~/components/feedback/ErrorText';
import { Gated } from '~/ui/inputs/GatedButton';
import styles from './CustomApp.module.css';
import { accessOptions, fieldWords } from './request-form';
import { useRequestForm } from './use-request-form';

interface RequestFormProps {
  appId: string;
  submission: Submission;
  disabledReason: string | null;
}

type FormState = ReturnType<typeof useRequestForm>;

function Fields({ form: { values, errors, change }, isLocked }: { form: FormState; isLocked: boolean }) {
  const field = (name: keyof typeof values) => ({
    label: fieldWords[name],
    value: values[name],
    disabled: isLocked,
    error: errors[name] ?? null,
  });
  return (
    <>
      <TextInput
        {...field('title')}
        maxLength={120}
        placeholder="Point-of-sale system"
        onChange={(event) => change({ title: event.currentTarget.value })}
      />
      <TextInput
        {...field('documentation')}
        type="url"
        maxLength={2000}
        description="URL of the API documentation."
        placeholder="https://docs.example.com/api"
        onChange={(event) => change({ documentation: event.currentTarget.value })}
      />
      <Textarea
        {...field('wantedData')}
        maxLength={4000}
        description="Metrics or events, how often, and their purpose."
        onChange={(event) => change({ wantedData: event.currentTarget.value })}
      />
      <Select
        {...field('accessKind')}
        data={accessOptions}
        value={values.accessKind === '' ? null : values.accessKind}
        placeholder="Select"
        description="Do not enter keys or passwords here. Access is set up later."
        onChange={(accessKind) => change({ accessKind: accessKind ?? '' })}
      />
      <TextInput
        {...field('contactEmail')}
        type="email"
        maxLength={320}
        description="Person to contact with questions."
        placeholder="developer@example.com"
        onChange={(event) => change({ contactEmail: event.currentTarget.value })}
      />
    </>
  );
}

interface ButtonsProps extends Pick<RequestFormProps, 'submission' | 'disabledReason'> {
  form: FormState;
}

function Buttons({ form: { busyWith, conflict, isSame, save }, submission, disabledReason }: ButtonsProps) {
  const isLocked = disabledReason !== null;
  return (
    <div className={styles.foot}>
      <Gated disabledReason={disabledReason}>
        <Button type="submit" disabled={isLocked || conflict.isOpen} loading={busyWith === 'submit'}>
          Submit request
        </Button>
        <Button
          variant="default"
          disabled={isLocked || isSame || conflict.isOpen}
          loading={busyWith === 'save'}
          onClick={() => void save()}
        >
          Save draft
        </Button>
      </Gated>
      {!isLocked && isSame && submission.version > 1 && <span className="label">Draft saved.</span>}
    </div>
  );
}

export function RequestForm({ appId, submission, disabledReason }: RequestFormProps) {
  const form = useRequestForm(appId, submission);
  const { submit, failure, conflict } = form;
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <p className="quiet">
        Describe the system and the data you need from it. The operator of this instance reviews the request. You are notified of
        the outcome by email.
      </p>
      <Fields form={form} isLocked={disabledReason !== null} />
      {conflict.isOpen && <ConflictNotice what="this form" onTakeTheirs={conflict.takeTheirs} onKeepMine={conflict.keepMine} />}
      {failure !== null && <ErrorText error={failure} />}
      <Buttons form={form} submission={submission} disabledReason={disabledReason} />
    </form>
  );
}
