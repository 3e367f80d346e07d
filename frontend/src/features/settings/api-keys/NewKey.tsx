import { Button } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useOrganizationId } from '~/session/organization-context';
import { CodeBlock } from '~/ui/data/CodeBlock';
import { CopyButton } from '~/ui/inputs/CopyButton';
import { Notice } from '~/ui/feedback/Notice';
import styles from './ApiKeys.module.css';

/** The names that the commands of the documentation use. */
const variables = (apiKey: string, organizationId: string): string =>
  [
    `export TRIBUTARY_URL=${window.location.origin}`,
    `export TRIBUTARY_API_KEY=${apiKey}`,
    `export ORGANIZATION_ID=${organizationId}`,
  ].join('\n');

/** Shows a new key once. It is stored only in the memory of this page. */
export function NewKey({ apiKey, onDone }: { apiKey: string; onDone: () => void }) {
  const organizationId = useOrganizationId();
  return (
    <>
      <Notice
        tone="accent"
        icon={IconKey}
        title="Copy the key now"
        isAlert
        actions={
          <Button variant="default" onClick={onDone}>
            Done
          </Button>
        }
      >
        We store only a hash. You won’t see this key again.
        <span className={styles.key}>
          <code>{apiKey}</code>
          <CopyButton text={apiKey} label="Copy key" />
        </span>
      </Notice>
      <div className={styles.variables}>
        <CodeBlock label="variables" title="Variables for a shell" text={variables(apiKey, organizationId)} />
        <p className={styles.hint}>
          With these, the commands of <a href="/docs/api">Calling the API</a> work as written.
        </p>
      </div>
    </>
  );
}
