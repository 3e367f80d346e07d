import type { Connection, RunSummary } from '~/api/types';
import { runTable } from '~/domain/connections/connection-state';
import { ExpectedProof } from './ExpectedProof';
import { ProofSkeleton } from './ProofSkeleton';
import { RunProof } from './RunProof';

interface LatestProofProps {
  connection: Connection;
  runs: RunSummary[] | undefined;
  /** The runs could not be loaded. */
  hasFailed: boolean;
}

/** The proof of the newest run that compared something. */
export function LatestProof({ connection, runs, hasFailed }: LatestProofProps) {
  if (!runs && !hasFailed && connection.lastRun) return <ProofSkeleton connection={connection} />;
  const compared = runs?.find(({ verify, state }) => verify !== null && !runTable[state].isActive);
  if (compared) return <RunProof connection={connection} runId={compared.id} />;
  return connection.activeRun ? <ExpectedProof connection={connection} /> : null;
}
