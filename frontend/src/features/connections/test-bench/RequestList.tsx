import type { TestRequest } from '~/api/types';
import { formatDuration } from '~/lib/durations';
import { CodeBlock } from '~/ui/data/CodeBlock';
import styles from './test-bench.module.css';

const factsOf = ({ status, durationMs, providerRequestId }: TestRequest): string =>
  [
    status === null ? 'No answer' : `Status ${status}`,
    formatDuration(durationMs),
    ...(providerRequestId === null ? [] : [`Request ${providerRequestId}`]),
  ].join(' · ');

const formatted = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
};

/** The requests that were sent to the source. */
export function RequestList({ requests }: { requests: TestRequest[] }) {
  if (requests.length === 0) return <p className="quiet">No request was sent to the source.</p>;
  return (
    <ol className={styles.list} aria-label="Requests to the source">
      {requests.map((request, index) => (
        <li key={index} className={styles.entry}>
          <div className={styles.facts}>{factsOf(request)}</div>
          <CodeBlock
            label={`address of request ${index + 1}`}
            title={`Request ${index + 1}`}
            text={`${request.method} ${request.url}`}
          />
          {request.body !== null && (
            <CodeBlock label={`body of request ${index + 1}`} title="Body" text={formatted(request.body)} />
          )}
        </li>
      ))}
    </ol>
  );
}
