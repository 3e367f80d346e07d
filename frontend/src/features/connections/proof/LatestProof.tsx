import type { Connection, RunSummary } from '~/api/types';
import { runTable } from '~/domain/connections/connection-state';
import { Section } from '~/ui/layout/Page';
import { RunProof } from './RunProof';

const LINE_PX = 57;
const MOST_LINES = 4;
/** Heading, sentence, head of the table and the line under it. */
const REST_PX = 140;

/** As high as the sheet that follows, so that nothing below it moves at the end of the first run. */
function ExpectedProof({ connection }: { connection: Connection }) {
  const streams = connection.streams.filter(({ isSelected }) => isSelected).length;
  const lines = Math.min(MOST_LINES, connection.source.accounts.length * streams);
  return (
    <div style={{ minHeight: REST_PX + lines * LINE_PX }}>
      <Section title="Verification">
        <p className="quiet">Rows and cost of each account are compared with the destination during the first run.</p>
      </Section>
    </div>
  );
}

/** The proof of the newest run that compared something. */
export function LatestProof({ connection, runs }: { connection: Connection; runs: RunSummary[] | undefined }) {
  const compared = runs?.find(({ verify, state }) => verify !== null && !runTable[state].isActive);
  if (compared) return <RunProof connection={connection} runId={compared.id} />;
  return connection.activeRun ? <ExpectedProof connection={connection} /> : null;
}
