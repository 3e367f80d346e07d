import { useProof } from '~/api/connections/runs';
import type { Connection } from '~/api/types';
import { useOrganizationId } from '~/session/organization-context';
import { ErrorNotice } from '~/components/feedback/ErrorNotice';
import { ProofSheet } from './ProofSheet';
import { ProofSkeleton } from './ProofSkeleton';

interface RunProofProps {
  connection: Connection;
  runId: string;
}

export function RunProof({ connection, runId }: RunProofProps) {
  const { data: proof, error, mutate } = useProof(useOrganizationId(), connection.id, runId);
  if (proof) return <ProofSheet connection={connection} proof={proof} />;
  if (error !== undefined)
    return <ErrorNotice error={error} title="Couldn’t load the verification" onRetry={() => void mutate()} />;
  return <ProofSkeleton connection={connection} />;
}
