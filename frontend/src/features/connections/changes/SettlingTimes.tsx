import { useSettlingTimes } from '~/api/connections/changes';
import type { SettlingTimes as Times } from '~/api/types';
import { ErrorNotice } from '~/components/feedback/ErrorNotice';
import { plural } from '~/lib/numbers';
import { useOrganizationId } from '~/session/organization-context';
import { KeepHeight } from '~/ui/feedback/KeepHeight';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { Section } from '~/ui/layout/Page';
import styles from './Changes.module.css';

type Account = Times['accounts'][number];

const METRICS = ['conversions', 'cost', 'clicks', 'impressions'] as const;
type Metric = (typeof METRICS)[number];
const names = { conversions: 'Conversions', cost: 'Cost', clicks: 'Clicks', impressions: 'Impressions' };

const timeText = (days: number | null): string => (days === 0 ? 'with the initial load' : `after ${plural(days ?? 0, 'day')}`);

/** `Cost settles after 2 days · Clicks settle with the initial load`, or one sentence if all metrics need the same time. */
function timesText(account: Account, known: Metric[]): string {
  const times = known.map((metric) => account[metric].days);
  if (known.length === METRICS.length && new Set(times).size === 1) return `All metrics settle ${timeText(times[0] ?? null)}`;
  const sentenceOf = (metric: Metric) =>
    `${names[metric]} ${metric === 'cost' ? 'settles' : 'settle'} ${timeText(account[metric].days)}`;
  return known.map(sentenceOf).join(' · ');
}

function AccountTimes({ account, neededDays }: { account: Account; neededDays: number }) {
  const known = METRICS.filter((metric) => account[metric].days !== null);
  return (
    <li>
      <strong>{account.accountName}</strong>
      {known.length === 0 ? (
        <span className="label">
          Not known yet: {plural(account.knownDays, 'settled day')} of {neededDays} that are needed
        </span>
      ) : (
        <>
          <span>{timesText(account, known)}</span>
          <span className="label">From {plural(account.knownDays, 'settled day')}</span>
        </>
      )}
    </li>
  );
}

/** After how many days the numbers of each account no longer change. */
export function SettlingTimes({ connectionId, stream }: { connectionId: string; stream: string }) {
  const { data, error, mutate } = useSettlingTimes(useOrganizationId(), connectionId, stream);
  const isLoading = !data && error === undefined;
  return (
    <Section title="Settling time">
      {error !== undefined && <ErrorNotice error={error} title="Couldn’t load settling times" onRetry={() => void mutate()} />}
      <KeepHeight isLoading={isLoading}>
        {isLoading && <TableSkeleton label="Loading settling times" rows={1} widths={['40%', '60%']} />}
        {data && (
          <>
            <p className="label">The number of days after which 95% of the days no longer changed.</p>
            <ul className={styles.settling}>
              {data.accounts.map((account) => (
                <AccountTimes key={account.accountId} account={account} neededDays={data.neededDays} />
              ))}
            </ul>
          </>
        )}
      </KeepHeight>
    </Section>
  );
}
