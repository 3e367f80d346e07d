import { useAppHistory } from '~/api/app-access';
import type { App, AppHistoryEvent } from '~/api/types';
import { formatExact, formatMoment } from '~/lib/dates';
import { useNow } from '~/lib/use-now';
import { useOrganizationId } from '~/session/organization-context';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import { Section } from '~/ui/layout/Page';
import { Status } from '~/components/status/Status';
import styles from './AppPage.module.css';
import { describeHistory } from './describe-history';

function Line({ event, provider }: { event: AppHistoryEvent; provider: string }) {
  const now = useNow(300_000);
  const { icon, tone, words, aside } = describeHistory(event, provider);
  return (
    <li>
      <time dateTime={event.at} title={formatExact(event.at)} className={styles.when}>
        {formatMoment(event.at, now)}
      </time>
      <span className={styles.what}>
        <Status icon={icon} tone={tone}>
          {words}
        </Status>
      </span>
      <span className={styles.who}>{aside}</span>
    </li>
  );
}

/** Events of the sign-in (started, renewed, failed, ended), newest first. */
export function SignInHistory({ app }: { app: App }) {
  const { data, error, mutate } = useAppHistory(useOrganizationId(), app.id);
  if (data?.items.length === 0) return null;
  return (
    <Section title={app.provider === 'custom' ? 'History' : 'Sign-in history'}>
      <LoadedContent
        data={data}
        error={error}
        reload={mutate}
        errorTitle="Couldn’t load the history"
        refreshError="nothing"
        skeleton={<TableSkeleton label="Loading the history" rows={3} widths={[120, '30%', '20%']} />}
      >
        {({ items }) => (
          <ol className={styles.history}>
            {items.map((event) => (
              <Line key={`${event.at} ${event.event}`} event={event} provider={app.provider} />
            ))}
          </ol>
        )}
      </LoadedContent>
    </Section>
  );
}
