import type { Connection, DailyTotals, RunSummary } from '~/api/types';
import { formatNearDay } from '~/lib/dates';
import { formatMoney, sumMicros } from '~/domain/billing/money';
import { formatCount, plural } from '~/lib/numbers';
import { formatDayAge } from '~/lib/relative-time';
import { runTable } from '~/domain/connections/connection-state';
import { useNow } from '~/lib/use-now';
import { Figure, FigureRow } from '~/ui/data/Figures';

interface FiguresProps {
  connection: Connection;
  daily: DailyTotals | undefined;
  runs: RunSummary[] | undefined;
}

function costNote(daily: DailyTotals | undefined, { source }: Connection): string {
  const currencies = new Set(source.accounts.map(({ currency }) => currency)).size;
  if (daily?.isMixedCurrency) return `${currencies} currencies, not summed`;
  return `${plural(source.accounts.length, 'account')}${daily?.currency ? `, ${daily.currency}` : ''}`;
}

export function Figures({ connection, daily, runs }: FiguresProps) {
  const now = useNow();
  const { completeThrough } = connection;
  const rows = daily?.days.reduce((sum, day) => sum + day.rows, 0);
  const rejected = runs?.reduce((sum, run) => sum + run.rowsRejected, 0) ?? 0;
  const ended = runs?.filter((run) => !runTable[run.state].isActive && run.state !== 'skipped' && run.state !== 'cancelled');
  const verified = ended?.filter((run) => run.state === 'succeeded').length ?? 0;
  const cost =
    daily && (daily.isMixedCurrency ? '—' : formatMoney(sumMicros(daily.days.map((day) => day.costMicros)), daily.currency));
  return (
    <FigureRow>
      <Figure
        label="Complete through"
        value={completeThrough ? formatNearDay(completeThrough, now) : '—'}
        note={completeThrough ? formatDayAge(completeThrough, now) : 'no complete day yet'}
      />
      <Figure label="Rows, last 30 days" value={daily && formatCount(rows)} note={`${formatCount(rejected)} rejected`} />
      <Figure label="Cost, last 30 days" value={cost} note={costNote(daily, connection)} />
      <Figure
        label="Runs verified"
        value={ended && (ended.length === 0 ? '—' : `${verified} of ${ended.length}`)}
        note={ended?.length === 0 ? 'no completed run yet' : 'row counts and cost match'}
      />
    </FigureRow>
  );
}
