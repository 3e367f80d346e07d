import type { Connection, RunSummary } from '~/api/types';
import { runTable } from '~/domain/connections/connection-state';
import { ExpectedProof } from './ExpectedProof';
import { RunProof } from './RunProof';

/** The proof of the newest run that compared something. */
export function LatestProof({ connection, runs }: { connection: Connection; runs: RunSummary[] | undefined }) {
  const compared = runs?.find(({ verify, state }) => verify !== null && !runTable[state].isActive);
  if (compared) return <RunProof connection={connection} runId={compared.id} />;
  return connection.activeRun ? <ExpectedProof connection={connection} /> : null;
}
