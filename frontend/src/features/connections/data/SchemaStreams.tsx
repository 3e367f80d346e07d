import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import { useSWRConfig } from 'swr';
import { updateConnection } from '~/api/connections/connections';
import { useConnectionSchema } from '~/api/connections/schema';
import { keysAboutConnection } from '~/api/http/keys';
import type { Connection, SchemaField, SchemaStream } from '~/api/types';
import { ErrorText } from '~/components/feedback/ErrorText';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import { toast } from '~/components/feedback/toast';
import { plural } from '~/lib/numbers';
import { useAction } from '~/lib/use-action';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { Section } from '~/ui/layout/Page';
import styles from './DataTab.module.css';
import { ResyncButton, type ResyncProps } from './ResyncButton';
import { ResyncProgress } from './ResyncProgress';
import { useResyncs } from './use-resyncs';

type Hashed = Record<string, string[]>;

const hashedOf = (streams: SchemaStream[]): Hashed =>
  Object.fromEntries(
    streams.map(({ name, fields }) => [name, fields.filter(({ isHashed }) => isHashed).map((field) => field.name)]),
  );

interface StreamFieldsProps {
  stream: SchemaStream;
  hashed: string[];
  isLocked: boolean;
  onToggle: (field: string) => void;
}

interface StreamItemProps extends StreamFieldsProps {
  resync: ResyncProps;
}

const stateOf = ({ need, isSelected }: SchemaField): string => {
  if (need !== null) return 'always written';
  return isSelected ? 'written' : 'excluded';
};

function FieldLine({ field, stream, hashed, isLocked, onToggle }: StreamFieldsProps & { field: SchemaField }) {
  return (
    <li className={styles.field}>
      <div className={styles.fieldText}>
        <code>{field.name}</code>{' '}
        <span className="label">
          {field.type}, {stateOf(field)}
        </span>
        <p className="label">{field.description}</p>
      </div>
      {field.canHash && (
        <Checkbox
          label="Hash"
          aria-label={`Hash ${field.name} of ${stream.name}`}
          checked={hashed.includes(field.name)}
          disabled={isLocked}
          onChange={() => onToggle(field.name)}
        />
      )}
    </li>
  );
}

function StreamItem({ resync, ...props }: StreamItemProps) {
  const { stream, hashed } = props;
  const [isOpen, setOpen] = useState(false);
  const written = stream.fields.filter(({ isSelected }) => isSelected).length;
  return (
    <li className={styles.stream}>
      <div className={styles.streamHead}>
        <div className={styles.streamText}>
          <code>{stream.name}</code> <span className="label">{stream.isSelected ? 'selected' : 'not selected'}</span>
          <p className="label">{stream.description}</p>
          <p className="label">
            <code>{stream.targetTable}</code> · {stream.isSelected && `${written} of `}
            {plural(stream.fields.length, 'field')}
            {stream.isSelected && ' written'}
            {hashed.length > 0 && ` · ${hashed.length} hashed`}
          </p>
        </div>
        <span className={styles.decision}>
          {stream.isSelected && <ResyncButton {...resync} />}
          <Button
            size="xs"
            variant="default"
            aria-expanded={isOpen}
            aria-label={`${isOpen ? 'Hide' : 'Show'} fields of ${stream.name}`}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? 'Hide fields' : 'Show fields'}
          </Button>
        </span>
      </div>
      {resync.shown && <ResyncProgress connectionId={resync.connection.id} resync={resync.shown} />}
      {isOpen && (
        <ul className={styles.fields} aria-label={`Fields of ${stream.name}`}>
          {stream.fields.map((field) => (
            <FieldLine key={field.name} {...props} field={field} />
          ))}
        </ul>
      )}
    </li>
  );
}

interface FormProps {
  connection: Connection;
  streams: SchemaStream[];
  resyncRefusal: string | null;
}

function HashedFieldsForm({ connection, streams, resyncRefusal }: FormProps) {
  const organizationId = useOrganizationId();
  const { mutate } = useSWRConfig();
  const disabledReason = usePermissionGate('connections.write');
  const { run, isBusy, error } = useAction();
  const [changed, setChanged] = useState<Hashed | null>(null);
  const resyncs = useResyncs(connection);
  const hashed = changed ?? hashedOf(streams);
  const toggle = (stream: string, field: string) => {
    const own = hashed[stream] ?? [];
    setChanged({ ...hashed, [stream]: own.includes(field) ? own.filter((name) => name !== field) : [...own, field] });
  };
  const save = async () => {
    const hashedFields = Object.entries(hashed)
      .filter(([, columns]) => columns.length > 0)
      .map(([stream, columns]) => ({ stream, columns }));
    await updateConnection(organizationId, connection.id, { hashedFields, version: connection.version });
    await mutate(keysAboutConnection(organizationId, connection.id));
    setChanged(null);
    toast.done('Hashed fields saved');
  };
  const ordered = streams.toSorted((left, right) => Number(right.isSelected) - Number(left.isSelected));
  return (
    <>
      <ul className={styles.streams} aria-label="Streams">
        {ordered.map((stream) => (
          <StreamItem
            key={stream.name}
            stream={stream}
            hashed={hashed[stream.name] ?? []}
            isLocked={disabledReason !== null}
            onToggle={(field) => toggle(stream.name, field)}
            resync={resyncs.propsOf(stream, resyncRefusal)}
          />
        ))}
      </ul>
      {error !== null && <ErrorText error={error} />}
      <div className={styles.save}>
        <Button loading={isBusy} disabled={disabledReason !== null || changed === null} onClick={() => void run(save)}>
          Save hashed fields
        </Button>
        <span className="label">
          {disabledReason ??
            (connection.destination.provider === 'mixpanel'
              ? 'New events contain the SHA-256 hash. Events that were sent before keep their text.'
              : 'Stored as SHA-256. All days of the changed streams are loaded again.')}
        </span>
      </div>
    </>
  );
}

/** The streams and fields that the source offers, where they are written, and which texts are hashed. */
export function SchemaStreams({ connection }: { connection: Connection }) {
  const organizationId = useOrganizationId();
  const { data, error, mutate } = useConnectionSchema(organizationId, connection.id);
  return (
    <Section title="Streams and fields">
      <LoadedContent
        data={data}
        error={error}
        reload={mutate}
        errorTitle="Couldn’t load the streams"
        skeleton={<TableSkeleton label="Loading streams" rows={4} widths={['60%', 90]} />}
      >
        {({ streams, resyncRefusal }) => (
          <HashedFieldsForm connection={connection} streams={streams} resyncRefusal={resyncRefusal} />
        )}
      </LoadedContent>
    </Section>
  );
}
