import type { Connection } from '~/api/types';
import { SchemaChanges } from './SchemaChanges';
import { SchemaStreams } from './SchemaStreams';

/** What the connection writes, and how that changed. */
export function DataTab({ connection }: { connection: Connection }) {
  return (
    <>
      <SchemaChanges connection={connection} />
      <SchemaStreams connection={connection} />
    </>
  );
}
