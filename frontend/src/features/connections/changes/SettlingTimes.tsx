import { useSettlingTimes } from '~/api/connections/changes';
import type { SettlingTimes as Times } from '~/api/types';
import { ErrorNotice } from '~/components/feedback/ErrorNotice';
import { plural } from '~/lib/numbers';
import { useOrganizationId } from '~/session/organization-context';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { Section } from '~/ui/layout/Page';
import styles from './Changes.module.css';

type Account = Times['accounts'][number];

const METRICS = ['conversions', 'cost', 'clicks', 'impressions'] as const;
const names = { conversions: 'Conversions', cost: 'Cost', clicks: 'Clicks', impressions: 'Impressions' };

function sentenceOf(metric: (typeof METRICS)[number], { days }: Account['cost']): string {
  const verb = metric === 'cost' ? 'settles' : 'settle';
  if (days === 0) return `${names[metric]} ${verb} with the initial load`;
  return `${names[metric]} ${verb} after ${plural(days ?? 0, 'day')}`;
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
          <span>{known.map((metric) => sentenceOf(metric, account[metric])).join(' · ')}</span>
          <span className="label">From {plural(account.knownDays, 'settled day')}</span>
        </>
      )}
    </li>
  );
}

/** After how many days the numbers of each account no longer change. */
export function SettlingTimes({ connectionId, stream }: { connectionId: string; stream: string }) {
  const { data, error, mutate } = useSettlingTimes(useOrganizationId(), connectionId, stream);
  return (
    <Section title="Settling time">
      {error !== undefined && <ErrorNotice error={error} title="Couldn’t load settling times" onRetry={() => void mutate()} />}
      {!data && error === undefined && <TableSkeleton label="Loading settling times" rows={2} widths={['40%', '60%']} />}
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
    </Section>
  );
}
