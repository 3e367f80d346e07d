import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import type { Connection, SignedIn } from '~/api/types';
import { formatDay } from '~/lib/dates';
import { formatCount, plural } from '~/lib/numbers';
import { paths } from '~/domain/navigation/paths';
import { providerWords } from '~/domain/accounts/providers';
import { describeProgress, progressPercent } from '~/domain/connections/run-progress';
import { useNow } from '~/lib/use-now';
import { isRelativeTarget } from '~/session/callback';
import { useOrganizationId } from '~/session/organization-context';
import { Section } from '~/ui/layout/Page';
import { RouteMarks } from '~/components/status/ProviderMark';
import { HealthStatus } from '~/components/status/Status';
import { LandingHead } from '~/features/apps/landing/LandingHead';
import landing from '~/features/apps/landing/Landing.module.css';
import lines from '~/features/apps/Lines.module.css';
import { LoadedConnections } from '~/features/apps/LoadedConnections';
import { useAppConnections } from '~/features/apps/use-app-connections';
import { missedDays } from '~/features/apps/missed-days';
import styles from './Reauth.module.css';

/** Paused connections do not count. */
const isBehind = (connection: Connection, now: Date): boolean =>
  connection.desired === 'active' && (connection.activeRun !== null || missedDays(connection, now) > 0);

function Progress({ connection }: { connection: Connection }) {
  const now = useNow(300_000);
  const { activeRun, completeThrough, health } = connection;
  if (!activeRun)
    return (
      <>
        <HealthStatus health={health} />
        <span className={lines.aside}>{completeThrough ? `Complete through ${formatDay(completeThrough, now)}` : ''}</span>
      </>
    );
  const percent = progressPercent(activeRun);
  return (
    <span className={styles.progress}>
      <span
        className={styles.track}
        role="progressbar"
        aria-label={connection.name}
        aria-valuenow={percent}
        aria-valuetext={describeProgress(activeRun)}
      >
        <span className={styles.fill} style={{ transform: `scaleX(${percent / 100})` }} />
      </span>
      <span className="label">
        {describeProgress(activeRun)}, {formatCount(activeRun.rowsWritten)} rows
      </span>
    </span>
  );
}

/** Shown after a successful reconnect: the affected connections and their backfill progress. */
export function Reconnected({ signedIn: { app, catchUp, returnTo } }: { signedIn: SignedIn }) {
  const organizationId = useOrganizationId();
  const now = useNow();
  const uses = useAppConnections(app);
  const { connections, isKnown } = uses;
  const behind = connections.filter((connection) => isBehind(connection, now)).length;
  const to = returnTo && isRelativeTarget(returnTo) ? returnTo : paths.app(organizationId, app.id);
  const days = catchUp?.days ?? 0;
  return (
    <>
      <LandingHead
        provider={app.provider}
        title={`${providerWords(app.provider).name} is reconnected`}
        note={`Signed in as ${app.externalUser ?? app.displayName}${app.accounts.length > 0 ? `, ${plural(app.accounts.length, 'account')}` : ''}`}
      />
      {(connections.length > 0 || !isKnown) && (
        <Section
          title={days > 0 ? `Backfill of ${plural(days, 'day')}` : 'Connections'}
          aside={
            <span role="status">
              {isKnown &&
                (behind === 0 ? 'All up to date' : `${connections.length - behind} of ${connections.length} up to date`)}
            </span>
          }
        >
          <LoadedConnections uses={uses}>
            <ul className={lines.list}>
              {connections.map((connection) => (
                <li key={connection.id}>
                  <RouteMarks from={connection.source.provider} to={connection.destination.provider} />
                  <Link to={paths.connection(organizationId, connection.id)} className={lines.name}>
                    {connection.name}
                  </Link>
                  <Progress connection={connection} />
                </li>
              ))}
            </ul>
          </LoadedConnections>
        </Section>
      )}
      <p className={`label ${styles.after}`}>Missed days load automatically. You can close this page.</p>
      <div className={landing.buttons}>
        <Button component={Link} to={to}>
          Continue
        </Button>
      </div>
    </>
  );
}
