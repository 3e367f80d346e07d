import type { App, Connection } from '~/api/types';
import { plural } from '~/lib/numbers';
import { signInName } from '~/domain/accounts/providers';
import { useNow } from '~/lib/use-now';
import { Section } from '~/ui/layout/Page';
import styles from './Lines.module.css';
import { mostDaysWaiting } from './waiting';

export function WhatHappens({ app, connections }: { app: App; connections: Connection[] }) {
  const now = useNow(300_000);
  const days = mostDaysWaiting(connections, now);
  return (
    <Section title="What happens when you reconnect">
      <ol className={styles.steps}>
        <li>
          <span className="strong">Sign in with {signInName(app.provider)}</span>
          <span className="label">In a small window. About a minute.</span>
        </li>
        <li>
          <span className="strong">Same account check</span>
          <span className="label">
            Signing in as somebody else{app.externalUser && ` than ${app.externalUser}`} shows which ad accounts differ, and asks
            first.
          </span>
        </li>
        <li>
          <span className="strong">{days === 0 ? 'Catching up' : `Catching up ${plural(days, 'day')}`}</span>
          <span className="label">The missed days load by themselves, each of them once.</span>
        </li>
      </ol>
    </Section>
  );
}
