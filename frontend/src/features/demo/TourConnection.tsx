import type { DemoTour } from '~/api/types';
import { formatDay } from '~/lib/dates';
import { formatCount, plural } from '~/lib/numbers';
import { useNow } from '~/lib/use-now';
import { ProviderMark } from '~/components/status/ProviderMark';
import { RunProgressBar } from '~/components/status/RunProgressBar';
import { HealthStatus } from '~/components/status/Status';
import { Stat } from '~/ui/data/Stat';
import styles from './Demo.module.css';

/** The connection of the tour: its state, its last comparison, and the progress of an active run. */
export function TourConnection({ connection }: Pick<DemoTour, 'connection'>) {
  const now = useNow();
  const { source, historyFrom, completeThrough, lastRun, activeRun, health, healthReason } = connection;
  const verify = lastRun?.verify;
  return (
    <section className={styles.card} aria-label="Connection">
      <div className={styles.head}>
        <ProviderMark provider={source.provider} size="lg" />
        <div className={styles.name}>
          <h2>{connection.name}</h2>
          <p className="quiet">
            {plural(source.accounts.length, 'ad account')}, history from {formatDay(historyFrom, now)}
          </p>
        </div>
        <HealthStatus health={health} />
      </div>
      <p className={styles.reason} role="status">
        {healthReason}
      </p>
      <div className={styles.stats}>
        <Stat label="Rows read">{formatCount(verify?.expected.rows)}</Stat>
        <Stat label="Rows found">{formatCount(verify?.found.rows)}</Stat>
        <Stat label="Cost">{verify ? (verify.cost ? 'Matches' : 'Differs') : '—'}</Stat>
        <Stat label="Complete through">{completeThrough ? formatDay(completeThrough, now) : '—'}</Stat>
      </div>
      <div className={styles.progress}>
        {activeRun ? <RunProgressBar run={activeRun} /> : <p className="quiet">No run is active.</p>}
      </div>
    </section>
  );
}
