import type { ConnectionTest, TestWriteStep } from '~/api/types';
import { plural } from '~/lib/numbers';
import { CodeBlock } from '~/ui/data/CodeBlock';
import styles from './test-bench.module.css';

const names: Record<TestWriteStep['kind'], string> = { sql: 'SQL', request: 'Request', event: 'Event' };

const formatted = ({ kind, text }: TestWriteStep): string =>
  kind === 'event' ? JSON.stringify(JSON.parse(text), null, 2) : text.trim();

const bodyTitle = ({ kind, text }: TestWriteStep): string => {
  if (kind === 'request') return 'Body';
  return text.startsWith('COPY') ? 'Rows' : 'Values';
};

function omitted({ omittedRows, omittedSteps }: NonNullable<ConnectionTest['write']>): string | null {
  if (omittedSteps > 0) return `${plural(omittedSteps, 'more event')} would be sent.`;
  return omittedRows > 0 ? `${plural(omittedRows, 'more row')} would be loaded.` : null;
}

/** What a run would send to the destination for the tested day. */
export function WritePreview({ write }: { write: ConnectionTest['write'] }) {
  if (write === null) return <p className="quiet">The write could not be previewed. The checks above name the cause.</p>;
  if (write.steps.length === 0) return <p className="quiet">{write.target} has these rows already. Nothing would be sent.</p>;
  const more = omitted(write);
  return (
    <>
      <p className="quiet">
        A run would send this to <code>{write.target}</code>. Nothing was sent. The id of the run is a placeholder.
        {more !== null && ` ${more}`}
      </p>
      <ol className={styles.list} aria-label="Write preview">
        {write.steps.map((step, index) => (
          <li key={index} className={styles.entry}>
            <div className={styles.entryHead}>
              <span className={styles.entryTitle}>{step.title}</span>
              <span className={styles.facts}>
                Step {index + 1} of {write.steps.length}
              </span>
            </div>
            <CodeBlock label={`text of step ${index + 1}`} title={names[step.kind]} text={formatted(step)} />
            {step.body !== null && <CodeBlock label={`data of step ${index + 1}`} title={bodyTitle(step)} text={step.body} />}
          </li>
        ))}
      </ol>
    </>
  );
}
