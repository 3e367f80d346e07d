import { Button } from '@mantine/core';
import { useState } from 'react';
import { useConnectionSchema } from '~/api/connections/schema';
import type { Connection, ConnectionSchema, SchemaField, SchemaStream } from '~/api/types';
import { ConflictNotice } from '~/components/feedback/ConflictNotice';
import { ErrorText } from '~/components/feedback/ErrorText';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import { HashCheckbox } from '~/components/stream-table/HashCheckbox';
import { plural } from '~/lib/numbers';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { Section } from '~/ui/layout/Page';
import styles from './DataTab.module.css';
import { ResyncButton, type ResyncProps } from './ResyncButton';
import { ResyncProgress } from './ResyncProgress';
import { useHashedFields } from './use-hashed-fields';
import type { HashedFields } from './use-hashed-fields';
import { useResyncs } from './use-resyncs';

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
        <HashCheckbox
          field={field.name}
          stream={stream.name}
          isHashed={hashed.includes(field.name)}
          isLocked={isLocked}
          onToggle={() => onToggle(field.name)}
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

/** The button and what prevented the last save. */
function SaveHashedFields({ connection, form }: { connection: Connection; form: HashedFields }) {
  const disabledReason = usePermissionGate('connections.write');
  const { conflict, failure, isBusy, isSame } = form;
  return (
    <>
      {conflict.isOpen && (
        <ConflictNotice what="this connection" onTakeTheirs={conflict.takeTheirs} onKeepMine={conflict.keepMine} />
      )}
      {failure !== null && <ErrorText error={failure} />}
      <div className={styles.save}>
        <Button loading={isBusy} disabled={disabledReason !== null || isSame || conflict.isOpen} onClick={form.save}>
          Save hashed fields
        </Button>
        <span className="label">
          {disabledReason ??
            (connection.destination.provider === 'mixpanel'
              ? 'New events contain the SHA-256 hash. Events that were sent before keep their text.'
              : 'Stored as SHA-256. All days of the changed streams are loaded again. Rows of accounts and days that the source no longer has keep their text.')}
        </span>
      </div>
    </>
  );
}

function HashedFieldsForm({ connection, schema }: { connection: Connection; schema: ConnectionSchema }) {
  const isLocked = usePermissionGate('connections.write') !== null;
  const form = useHashedFields(connection.id, schema);
  const resyncs = useResyncs(connection);
  const ordered = schema.streams.toSorted((left, right) => Number(right.isSelected) - Number(left.isSelected));
  return (
    <>
      <ul className={styles.streams} aria-label="Streams">
        {ordered.map((stream) => (
          <StreamItem
            key={stream.name}
            stream={stream}
            hashed={form.of(stream.name)}
            isLocked={isLocked}
            onToggle={(field) => form.toggle(stream.name, field)}
            resync={resyncs.propsOf(stream, schema.resyncRefusal)}
          />
        ))}
      </ul>
      <SaveHashedFields connection={connection} form={form} />
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
        {(schema) => <HashedFieldsForm connection={connection} schema={schema} />}
      </LoadedContent>
    </Section>
  );
}
