import { useState } from 'react';
import { useSWRConfig } from 'swr';
import { submitSubmission, updateSubmission } from '~/api/custom-apps';
import { keysOf } from '~/api/http/keys';
import type { Submission } from '~/api/types';
import { useOrganizationId } from '~/session/organization-context';
import { useVersionedForm } from '~/components/feedback/use-versioned-form';
import { toast } from '~/components/feedback/toast';
import { changeOf, errorsOf, valuesOf } from './request-form';
import type { RequestValues } from './request-form';

/** State and actions of the request form. Submitting saves the draft first, so the submitted values match the form. */
export function useRequestForm(appId: string, submission: Submission) {
  const organizationId = useOrganizationId();
  const { mutate } = useSWRConfig();
  const refresh = () => mutate(keysOf(organizationId, 'submission'));
  const form = useVersionedForm<Submission, RequestValues, 'save' | 'submit'>({
    latest: submission,
    valuesOf,
    refresh,
  });
  const { values, isSame, busyWith } = form;
  const [wasSubmitted, setSubmitted] = useState(false);

  const store = async (): Promise<number> => {
    let { version } = form.base;
    if (isSame) return version;
    await form.save(async (known) => {
      const stored = await updateSubmission(organizationId, appId, changeOf(values, known));
      version = stored.version;
      return stored;
    });
    return version;
  };
  const save = async () => {
    if (Object.keys(errorsOf(values, false)).length > 0) return;
    if (await form.run(store, 'save')) toast.done('Draft saved');
  };
  const storeAndSubmit = async () => {
    const version = await store();
    try {
      await submitSubmission(organizationId, appId, version);
    } catch (error) {
      // The draft was saved.
      await refresh();
      throw error;
    }
  };
  const submit = async () => {
    setSubmitted(true);
    if (Object.keys(errorsOf(values, true)).length > 0) return;
    if (await form.run(storeAndSubmit, 'submit')) toast.done('Request submitted');
  };
  const conflict = { ...form.conflict, isOpen: form.conflict.isOpen && busyWith === null };
  return { ...form, errors: errorsOf(values, wasSubmitted), conflict, save, submit };
}
