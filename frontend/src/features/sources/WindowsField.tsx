import { useSourceWindows } from '~/api/sources';
import type { AdAccount, Source } from '~/api/types';
import { plural } from '~/lib/numbers';
import { sentence } from '~/lib/sentence';
import { signInName } from '~/domain/accounts/providers';
import { useOrganizationId } from '~/session/organization-context';
import { useMay } from '~/session/permissions';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { ErrorNotice } from '~/components/feedback/ErrorNotice';
import { LookbackField } from '~/components/schedule/LookbackField';
import table from '~/ui/layout/Table.module.css';
import styles from './SourcePage.module.css';

interface WindowsProps {
  source: Source;
  /** Number of days, or null for the lookback window of each account. */
  lookbackDays: number | null;
}

const nameOf = (accounts: AdAccount[], id: string): string => accounts.find(({ externalId }) => externalId === id)?.name ?? id;

/** Lookback window of each account, requested from the platform once a day. */
function Windows({ source, lookbackDays }: WindowsProps) {
  const { data, error, mutate } = useSourceWindows(useOrganizationId(), source.id, useMay('sources.write'));
  if (error !== undefined)
    return <ErrorNotice error={error} title="Couldn’t load the lookback windows" onRetry={() => void mutate()} />;
  if (!data) return <TableSkeleton label="Loading the lookback windows" rows={2} widths={['50%', 80]} />;
  return (
    <>
      {data.failure && (
        <p className={styles.note}>
          Couldn’t get lookback windows from {signInName(source.provider)}. {sentence(data.failure.message)}{' '}
          {sentence(data.failure.action)}
        </p>
      )}
      {data.items.length > 0 && (
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">Account</th>
              <th scope="col" className={table.number}>
                Automatic
              </th>
              {lookbackDays !== null && (
                <th scope="col" className={table.number}>
                  {' '}
                  Configured{' '}
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {data.items.map(({ accountId, lookbackDays: automatic }) => (
              <tr key={accountId}>
                <td>{nameOf(source.accounts, accountId)}</td>
                <td className={table.number}>{automatic === null ? 'Unknown' : plural(automatic, 'day')}</td>
                {lookbackDays !== null && (
                  <td className={table.number} data-short={automatic !== null && lookbackDays < automatic ? true : undefined}>
                    {plural(lookbackDays, 'day')}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

interface WindowsFieldProps extends WindowsProps {
  onChange: (lookbackDays: number | null) => void;
  isLocked: boolean;
}

/** Lookback window, automatic or configured, with the windows of each account. */
export function WindowsField({ source, lookbackDays, onChange, isLocked }: WindowsFieldProps) {
  const { data } = useSourceWindows(useOrganizationId(), source.id, useMay('sources.write'));
  const known = data?.items.flatMap(({ lookbackDays: days }) => (days === null ? [] : [days])) ?? [];
  const longest = known.length === 0 ? null : Math.max(...known);
  const isShort = lookbackDays !== null && longest !== null && lookbackDays < longest;
  return (
    <>
      <LookbackField
        lookbackDays={lookbackDays}
        automaticDays={longest}
        reason={isShort ? `Conversions that arrive after ${plural(lookbackDays, 'day')} are missed.` : null}
        onChange={onChange}
        isLocked={isLocked}
      />
      <div className={styles.windows}>
        <Windows source={source} lookbackDays={lookbackDays} />
      </div>
    </>
  );
}
