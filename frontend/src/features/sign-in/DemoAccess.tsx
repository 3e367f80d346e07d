import { Button } from '@mantine/core';
import useSWR from 'swr';
import { loadConfig } from '~/api/http/config';
import styles from './Form.module.css';

/** A demo says how to get in; nothing of it exists elsewhere. */
export function DemoAccess({ onUse }: { onUse: (email: string, password: string) => void }) {
  const { data: config } = useSWR('config', loadConfig, { revalidateOnFocus: false });
  const demo = config?.isDemo ? config.demo : null;
  if (!demo) return null;
  return (
    <div className={styles.demo}>
      <div>
        <p>This is a demo</p>
        <p>
          <code>{demo.email}</code>
        </p>
      </div>
      <Button size="xs" variant="default" onClick={() => onUse(demo.email, demo.password)}>
        Fill in the demo sign-in
      </Button>
    </div>
  );
}
