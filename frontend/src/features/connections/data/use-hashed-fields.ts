import { useSWRConfig } from 'swr';
import { updateConnection } from '~/api/connections/connections';
import { keysAboutConnection } from '~/api/http/keys';
import type { ConnectionSchema } from '~/api/types';
import { toast } from '~/components/feedback/toast';
import { useVersionedForm } from '~/components/feedback/use-versioned-form';
import { toggleHashed, toHashedBody } from '~/components/stream-table/hashed-fields';
import type { HashedByStream } from '~/components/stream-table/hashed-fields';
import { useOrganizationId } from '~/session/organization-context';

const hashedOf = ({ streams }: ConnectionSchema): HashedByStream =>
  Object.fromEntries(
    streams.map(({ name, fields }) => [name, fields.filter(({ isHashed }) => isHashed).map((field) => field.name)]),
  );

const textOf = (hashed: HashedByStream): string =>
  JSON.stringify(Object.entries(hashed).map(([stream, columns]) => [stream, columns.toSorted()]));

/** The hashed fields of a connection. They are saved as a whole, so a change of another user is a conflict. */
export function useHashedFields(connectionId: string, schema: ConnectionSchema) {
  const organizationId = useOrganizationId();
  const { mutate } = useSWRConfig();
  const form = useVersionedForm({
    latest: schema,
    valuesOf: hashedOf,
    textOf,
    refresh: () => mutate(keysAboutConnection(organizationId, connectionId)),
  });
  const of = (stream: string): string[] => form.values[stream] ?? [];
  const save = async () => {
    const hashedFields = toHashedBody(form.values, Object.keys(form.values));
    await form.save((version) => updateConnection(organizationId, connectionId, { hashedFields, version }));
    toast.done('Hashed fields saved');
  };
  return {
    ...form,
    of,
    toggle: (stream: string, field: string) => form.change({ [stream]: toggleHashed(of(stream), field) }),
    save: () => void form.run(save),
  };
}

export type HashedFields = ReturnType<typeof useHashedFields>;
