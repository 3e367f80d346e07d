import type { App, Connection } from '~/api/types';
import { plural } from '~/lib/numbers';
import { signInName } from '~/domain/accounts/providers';
import { useNow } from '~/lib/use-now';
import { Section } from '~/ui/layout/Page';
import styles from './Lines.module.css';
import { maxMissedDays } from './missed-days';

export function ReconnectSteps({ app, connections }: { app: App; connections: Connection[] }) {
  const now = useNow(300_000);
  const days = maxMissedDays(connections, now);
  return (
    <Section title="What happens when you reconnect">
      <ol className={styles.steps}>
        <li>
          <span className="strong">Sign in with {signInName(app.provider)}</span>
          <span className="label">Opens in a pop-up window and takes about a minute.</span>
        </li>
        <li>
          <span className="strong">Account check</span>
          <span className="label">
            If you sign in as another user{app.externalUser && ` than ${app.externalUser}`}, you review the accounts that differ
            before anything changes.
          </span>
        </li>
        <li>
          <span className="strong">{days === 0 ? 'Backfill' : `Backfill of ${plural(days, 'day')}`}</span>
          <span className="label">Missed days load automatically, each of them once.</span>
        </li>
      </ol>
    </Section>
  );
}
