import { useState } from 'react';
import { useSWRConfig } from 'swr';
import { submitSubmission, updateSubmission } from '~/api/custom-apps';
import { keysOf } from '~/api/http/keys';
import { isConflict } from '~/api/http/problem';
import type { Submission } from '~/api/types';
import { useTypedOver } from '~/lib/use-typed-over';
import { useOrganizationId } from '~/session/organization-context';
import { toast } from '~/components/feedback/toast';
import { changeOf, errorsOf, valuesOf } from './request-form';
import type { RequestValues } from './request-form';

/** Edited values on top of the saved form, with conflict resolution when another user saved in the meantime. */
function useRequestValues(submission: Submission) {
  const typed = useTypedOver(submission);
  const [edited, setEdited] = useState<RequestValues | null>(null);
  const start = valuesOf(typed.base);
  const values = edited ?? start;
  return {
    typed,
    values,
    isSame: JSON.stringify(values) === JSON.stringify(start),
    change: (part: Partial<RequestValues>) => {
      typed.noteTyping();
      setEdited((before) => ({ ...(before ?? start), ...part }));
    },
    settle: () => setEdited(null),
    takeTheirs: () => {
      setEdited(null);
      typed.takeTheirs();
    },
  };
}

/** State and actions of the request form. Submitting saves the draft first, so the submitted values match the form. */
export function useRequestForm(appId: string, submission: Submission) {
  const organizationId = useOrganizationId();
  const { mutate } = useSWRConfig();
  const { typed, values, isSame, change, settle, takeTheirs } = useRequestValues(submission);
  const [wasSubmitted, setSubmitted] = useState(false);
  const [busy, setBusy] = useState<'save' | 'submit' | null>(null);
  const [failure, setFailure] = useState<unknown>(null);

  const store = async (): Promise<number> => {
    let { version } = typed.base;
    if (isSame) return version;
    await typed.save(async (known) => {
      version = (await updateSubmission(organizationId, appId, changeOf(values, known))).version;
    });
    return version;
  };
  const run = async (kind: 'save' | 'submit', work: () => Promise<void>) => {
    setBusy(kind);
    setFailure(null);
    try {
      await work();
      await mutate(keysOf(organizationId, 'submission'));
      settle();
    } catch (error) {
      await mutate(keysOf(organizationId, 'submission'));
      if (!isConflict(error)) setFailure(error);
    }
    setBusy(null);
  };
  const save = async () => {
    if (Object.keys(errorsOf(values, false)).length > 0) return;
    await run('save', async () => {
      await store();
      toast.done('Draft saved');
    });
  };
  const submit = async () => {
    setSubmitted(true);
    if (Object.keys(errorsOf(values, true)).length > 0) return;
    await run('submit', async () => {
      await submitSubmission(organizationId, appId, await store());
      toast.done('Request submitted');
    });
  };
  const conflict = { isOpen: typed.isConflict && !isSame && busy === null, keepMine: typed.keepMine, takeTheirs };
  return { values, errors: errorsOf(values, wasSubmitted), busy, failure, isSame, conflict, change, save, submit };
}
