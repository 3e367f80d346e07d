import { useState } from 'react';
import { useSWRConfig } from 'swr';
import { keysOf } from '~/api/http/keys';
import { createSource, useSources } from '~/api/sources';
import type { App, Source } from '~/api/types';
import { useAction } from '~/lib/use-action';
import { useUnsavedChanges } from '~/lib/unsaved-changes';
import { useOrganizationId } from '~/session/organization-context';
import { defaultSourceName, whyNoSource } from './source-defaults';

/** Creates a source from chosen accounts. Its name is generated from the choice until the user edits it. */
export function useNewSource(app: App, initialAccounts: () => string[], onCreated: (source: Source) => void) {
  const organizationId = useOrganizationId();
  const { mutate } = useSWRConfig();
  const { data } = useSources(organizationId);
  const sources = data?.items ?? [];
  const [chosen, setChosen] = useState(initialAccounts);
  const [editedName, setEditedName] = useState<string | null>(null);
  const name =
    editedName ??
    defaultSourceName(
      app,
      chosen,
      sources.map((source) => source.name),
    );
  const [hasChosen, setHasChosen] = useState(false);
  const endGuard = useUnsavedChanges(hasChosen || editedName !== null);
  const { run, isBusy, error } = useAction({ leavesPage: true });
  const create = async () => {
    const source = await createSource(organizationId, { appId: app.id, name: name.trim(), accountIds: chosen });
    await mutate(keysOf(organizationId, 'sources', 'apps', 'app'));
    endGuard();
    onCreated(source);
  };
  return {
    sources,
    chosen,
    setChosen: (ids: string[]) => {
      setHasChosen(true);
      setChosen(ids);
    },
    /** The properties of the field for the name. */
    nameField: {
      label: 'Source name',
      description: 'Generated from your selection; edit anytime.',
      value: name,
      maxLength: 120,
      error: name.trim() === '' ? 'Enter a name' : null,
      onChange: (event: React.ChangeEvent<HTMLInputElement>) => setEditedName(event.currentTarget.value),
    },
    whyNot: whyNoSource(app, chosen, name),
    create: () => void run(create),
    isBusy,
    error,
  };
}
