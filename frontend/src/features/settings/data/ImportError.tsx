import { Button } from '@mantine/core';
import { fieldErrorsOf } from '~/api/http/field-errors';
import { ErrorText } from '~/components/feedback/ErrorText';
import { sentence } from '~/lib/sentence';
import { Notice } from '~/ui/feedback/Notice';
import styles from './Data.module.css';
import { InvalidFile } from './parse-file';

/** Longer lists of fields show the number of further ones. */
const MOST_FIELDS = 10;

/** How the plan ended. With either, it cannot be applied any more. */
export type EndOfPlan = 'outdated' | 'unknown';

const ENDS = {
  outdated: {
    title: 'The plan is outdated',
    text: 'The organization has changed since the plan was made. Nothing was imported.',
  },
  unknown: {
    title: 'The import may still be running',
    text: 'Its response did not arrive. A new plan shows what is not imported yet.',
  },
} as const;

/** Offers a new plan instead of the one that ended. */
export const EndedPlan = ({ end, onReplan }: { end: EndOfPlan; onReplan: () => void }) => (
  <Notice
    tone="warn"
    title={ENDS[end].title}
    isAlert
    actions={
      <Button variant="default" onClick={onReplan}>
        Make a new plan
      </Button>
    }
  >
    {ENDS[end].text}
  </Notice>
);

/** Names the line of invalid JSON, or each invalid field. */
export function ImportError({ error }: { error: unknown }) {
  const fields = fieldErrorsOf(error);
  if (error instanceof InvalidFile)
    return (
      <Notice tone="danger" title="The file is not valid" isAlert>
        {sentence(error.message)}
      </Notice>
    );
  if (fields.length === 0) return <ErrorText error={error} />;
  return (
    <Notice tone="danger" title="The file is not valid" isAlert>
      <ul className={styles.fields}>
        {fields.slice(0, MOST_FIELDS).map(({ field, message }) => (
          <li key={`${field} ${message}`}>
            <code>{field}</code>: {message}
          </li>
        ))}
        {fields.length > MOST_FIELDS && <li>and {fields.length - MOST_FIELDS} more</li>}
      </ul>
    </Notice>
  );
}
