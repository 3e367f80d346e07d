import { Link } from 'react-router-dom';
import { useSchemaChanges } from '~/api/connections/schema';
import type { Connection, SchemaChange } from '~/api/types';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import { SCHEMA_POLICIES } from '~/domain/connections/policies';
import { paths } from '~/domain/navigation/paths';
import { useOrganizationId } from '~/session/organization-context';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { Section } from '~/ui/layout/Page';
import { SchemaChangeItem } from './SchemaChangeItem';
import styles from './DataTab.module.css';

function ChangeList({ label, changes, connectionId }: { label: string; changes: SchemaChange[]; connectionId: string }) {
  if (changes.length === 0) return null;
  return (
    <ul className={styles.changes} aria-label={label}>
      {changes.map((change) => (
        <SchemaChangeItem key={change.id} change={change} connectionId={connectionId} />
      ))}
    </ul>
  );
}

/** Pending changes with their decision, and what changed before. */
export function SchemaChanges({ connection }: { connection: Connection }) {
  const organizationId = useOrganizationId();
  const { data, error, mutate } = useSchemaChanges(organizationId, connection.id);
  const policy = SCHEMA_POLICIES.find(({ value }) => value === connection.schemaPolicy);
  return (
    <Section title="Schema changes">
      <p className="quiet">
        Policy: {policy?.label}.{' '}
        <Link to={paths.connection(organizationId, connection.id, { tab: 'settings' })}>Change the policy</Link>
      </p>
      <LoadedContent
        data={data}
        error={error}
        reload={mutate}
        errorTitle="Couldn’t load the schema changes"
        skeleton={<TableSkeleton label="Loading schema changes" rows={2} widths={['50%', 120]} />}
        isEmpty={(changes) => changes.length === 0}
        empty={<p className="quiet">No changes yet. Each run compares the source and the tables with the previous run.</p>}
      >
        {(changes) => (
          <>
            <ChangeList
              label="Pending changes"
              changes={changes.filter(({ state }) => state === 'pending')}
              connectionId={connection.id}
            />
            <ChangeList
              label="Earlier changes"
              changes={changes.filter(({ state }) => state !== 'pending')}
              connectionId={connection.id}
            />
          </>
        )}
      </LoadedContent>
    </Section>
  );
}
