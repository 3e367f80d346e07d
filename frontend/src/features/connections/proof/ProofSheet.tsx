import type { Connection, RunProof } from '~/api/types';
import { runTable } from '~/domain/connections/connection-state';
import { comparedText, differenceSentences, openSentence, proofSentence } from '~/domain/connections/proof';
import { formatDayRange, formatExact } from '~/lib/dates';
import { formatDuration } from '~/lib/durations';
import { useNow } from '~/lib/use-now';
import { Section } from '~/ui/layout/Page';
import { providerName } from '~/components/status/ProviderMark';
import { ProofActions } from './ProofActions';
import styles from './ProofSheet.module.css';
import { ProofTable } from './ProofTable';
import { RepairDifference } from './RepairDifference';
import './print.css';

/** What the run was, for a printed sheet without the page around it. */
function PrintHead({ connection, proof, now }: { connection: Connection; proof: RunProof; now: Date }) {
  const { window, startedAt, state } = proof;
  return (
    <div data-print="only">
      <h1>{connection.name}</h1>
      <p>
        {providerName(connection.source.provider)} to {providerName(connection.destination.provider)},{' '}
        {connection.destination.target}
      </p>
      <p>
        {runTable[state].word}
        {startedAt && `. Run started ${formatExact(startedAt)}`}
        {window && `. Days ${formatDayRange(window.from, window.to, now)}`}. Run {proof.runId}
      </p>
    </div>
  );
}

/** Lost rows with their repair, in words. The notice of the page is above: two boxes would compete. */
function Differences({ connection, proof, to }: { connection: Connection; proof: RunProof; to: string }) {
  const [first, ...others] = differenceSentences(proof, { from: '', to });
  if (first === undefined) return null;
  if (proof.repair === null)
    return <p className={styles.past}>{[first, ...others].join('. ')}. A later run has loaded these days again.</p>;
  return (
    <div className={styles.differences}>
      <ul>
        {[first, ...others].map((difference) => (
          <li key={difference}>{difference}</li>
        ))}
      </ul>
      <span className={styles.repair} data-print="no">
        <RepairDifference connection={connection} repair={proof.repair} />
      </span>
    </div>
  );
}

interface ProofSheetProps {
  connection: Connection;
  proof: RunProof;
}

/** The proof of a run: what was read, what the destination has, and when both were compared. */
export function ProofSheet({ connection, proof }: ProofSheetProps) {
  const now = useNow();
  const from = providerName(connection.source.provider);
  const to = providerName(connection.destination.provider);
  const { startedAt, endedAt } = proof;
  const open = openSentence(proof);
  return (
    <div data-proof-sheet>
      <Section
        title="Verification"
        aside={
          <span className={styles.actions} data-print="no">
            <ProofActions connectionId={connection.id} runId={proof.runId} />
          </span>
        }
      >
        <PrintHead connection={connection} proof={proof} now={now} />
        <p className={styles.sentence}>{proofSentence(proof, { from, to })}</p>
        {open !== null && <p className="quiet">{open}</p>}
        <Differences connection={connection} proof={proof} to={to} />
        <ProofTable proof={proof} />
        <p className={styles.compared}>
          {comparedText(proof)}
          {startedAt && endedAt && ` The run took ${formatDuration(Date.parse(endedAt) - Date.parse(startedAt))}.`}
        </p>
      </Section>
    </div>
  );
}
