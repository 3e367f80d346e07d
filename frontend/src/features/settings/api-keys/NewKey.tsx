import { useOrganizationId } from '~/session/organization-context';
import { CodeBlock } from '~/ui/data/CodeBlock';
import { NewKeyNotice } from '~/components/feedback/NewKeyNotice';
import styles from './ApiKeys.module.css';

/** The names that the commands of the documentation use. */
const variables = (apiKey: string, organizationId: string): string =>
  [
    `export TRIBUTARY_URL=${window.location.origin}`,
    `export TRIBUTARY_API_KEY=${apiKey}`,
    `export ORGANIZATION_ID=${organizationId}`,
  ].join('\n');

/** A new key, and how to use it with the commands of the documentation. */
export function NewKey({ apiKey, onDone }: { apiKey: string; onDone: () => void }) {
  const organizationId = useOrganizationId();
  return (
    <>
      <NewKeyNotice value={apiKey} onDone={onDone} />
      <div className={styles.variables}>
        <CodeBlock label="variables" title="Variables for a shell" text={variables(apiKey, organizationId)} />
        <p className={styles.hint}>
          With these, the commands of <a href="/docs/api">Calling the API</a> work as written.
        </p>
      </div>
    </>
  );
}
