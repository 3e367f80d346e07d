import { Button } from '@mantine/core';
import { describeError } from '~/api/http/describe-error';
import { fieldErrorsOf } from '~/api/http/field-errors';
import { sentence } from '~/lib/sentence';
import { Notice } from '~/ui/feedback/Notice';
import styles from './Data.module.css';
import { InvalidFile } from './parse-file';

/** Longer lists of fields show the number of further ones. */
const MOST_FIELDS = 10;

/** Names the line of invalid JSON, or each invalid field. */
export function ImportError({ error, onReplan }: { error: unknown; onReplan: (() => void) | null }) {
  if (onReplan)
    return (
      <Notice
        tone="warn"
        title="The plan is outdated"
        isAlert
        actions={
          <Button variant="default" onClick={onReplan}>
            Make a new plan
          </Button>
        }
      >
        The organization has changed since the plan was made. Nothing was imported.
      </Notice>
    );
  const fields = fieldErrorsOf(error);
  const isFile = error instanceof InvalidFile || fields.length > 0;
  return (
    <Notice tone="danger" title={isFile ? 'The file is not valid' : 'Couldn’t import the file'} isAlert>
      {fields.length === 0 ? (
        sentence(error instanceof InvalidFile ? error.message : describeError(error).message)
      ) : (
        <ul className={styles.fields}>
          {fields.slice(0, MOST_FIELDS).map(({ field, message }) => (
            <li key={`${field} ${message}`}>
              <code>{field}</code> {message}
            </li>
          ))}
          {fields.length > MOST_FIELDS && <li>and {fields.length - MOST_FIELDS} more</li>}
        </ul>
      )}
    </Notice>
  );
}
