import { IconCircleDashed } from '@tabler/icons-react';
import type { Connection } from '~/api/types';
import { hasCurrency } from '~/domain/billing/money';
import { Status } from '~/components/status/Status';
import { Section } from '~/ui/layout/Page';
import table from '~/ui/layout/Table.module.css';
import styles from './ProofTable.module.css';
import { FIRST_SHOWN, HEAD, ProofHead } from './ProofTable';

const LINE_PX = 57;
/** Heading, sentence, head of the table and the line under it. */
const REST_PX = 140;

/** The accounts of the proof that follows, at its height, so that nothing below it moves at the end of the first run. */
export function ExpectedProof({ connection }: { connection: Connection }) {
  const { accounts } = connection.source;
  const streams = connection.streams.filter(({ isSelected }) => isSelected);
  const lines = streams.flatMap(({ name }) => accounts.map((account) => ({ stream: name, ...account }))).slice(0, FIRST_SHOWN);
  return (
    <div style={{ minHeight: REST_PX + lines.length * LINE_PX }}>
      <Section title="Verification">
        <p className="quiet">Rows and cost of each account are compared with the destination during the first run.</p>
        <div className={styles.frame}>
          <table className={`${table.table} ${styles.table}`}>
            <ProofHead />
            <tbody>
              {lines.map(({ stream, externalId, name, currency }) => (
                <tr key={`${stream} ${externalId}`}>
                  <td className={styles.name}>
                    {name} {hasCurrency(currency) && <span className="label">{currency}</span>}
                    {streams.length > 1 && <span className={table.second}>{stream}</span>}
                  </td>
                  {HEAD.map((label, index) => (
                    <td key={index} className={`${table.number} ${styles.wide}`}>
                      —
                    </td>
                  ))}
                  <td className={styles.verdict}>
                    <Status icon={IconCircleDashed} tone="idle">
                      Not compared yet
                    </Status>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </Section>
    </div>
  );
}
