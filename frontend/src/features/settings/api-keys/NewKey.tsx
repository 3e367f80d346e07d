import { useOrganizationId } from '~/session/organization-context';
import { CodeBlock } from '~/ui/data/CodeBlock';
import { NewKeyNotice } from '~/components/feedback/NewKeyNotice';
import { shellVariables } from './shell-variables';
import styles from './ApiKeys.module.css';

/** A new key, and how to use it with the commands of the documentation. */
export function NewKey({ apiKey, onDone }: { apiKey: string; onDone: () => void }) {
  const organizationId = useOrganizationId();
  return (
    <>
      <NewKeyNotice value={apiKey} onDone={onDone} />
      <div className={styles.variables}>
        <CodeBlock
          label="variables"
          title="Variables for a shell"
          text={shellVariables(window.location.origin, apiKey, organizationId)}
        />
        <p className={styles.hint}>
          With these, the commands of <a href="/docs/api">Calling the API</a> work as written.
        </p>
      </div>
    </>
  );
}
