import { Button } from '@mantine/core';
import useSWR from 'swr';
import { loadConfig } from '~/api/http/config';
import styles from './Form.module.css';

/** Shows the demo account on a demo instance. Renders nothing on other instances. */
export function DemoAccess({ onUse }: { onUse: (email: string, password: string) => void }) {
  const { data: config } = useSWR('config', loadConfig, { revalidateOnFocus: false });
  const demo = config?.isDemo ? config.demo : null;
  if (!demo) return null;
  return (
    <div className={styles.demo}>
      <div>
        <p>Demo instance</p>
        <p>
          <code>{demo.email}</code>
        </p>
      </div>
      <Button size="xs" variant="default" onClick={() => onUse(demo.email, demo.password)}>
        Use demo account
      </Button>
    </div>
  );
}
