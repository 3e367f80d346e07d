import type { Connection, DailyTotals, RunSummary } from '~/api/types';
import { formatMoney, hasCurrency } from '~/domain/billing/money';
import { useNow } from '~/lib/use-now';
import { Figure, FigureRow } from '~/ui/data/Figures';
import { completeFigure, costFigure, rowsFigure, runsFigure } from './describe-figures';
import type { Part } from './describe-figures';
import styles from './Figures.module.css';

interface FiguresProps {
  connection: Connection;
  daily: Part<DailyTotals>;
  runs: Part<RunSummary[]>;
}

/** The cost in each currency of the accounts, on demand. */
const ByCurrency = ({ currencies }: { currencies: DailyTotals['currencies'] }) => (
  <details className={styles.currencies}>
    <summary>By currency</summary>
    <ul>
      {currencies.map(({ currency, costMicros }) => (
        <li key={currency}>
          {currency} <strong>{formatMoney(costMicros, currency)}</strong>
        </li>
      ))}
    </ul>
  </details>
);

const hasCurrencies = ({ source: { accounts } }: Connection): boolean =>
  new Set(accounts.map(({ currency }) => currency).filter(hasCurrency)).size > 1;

export function Figures({ connection, daily, runs }: FiguresProps) {
  const now = useNow();
  const cost = costFigure(daily);
  // Before the answer, as it is expected: the row keeps its height.
  const isMixedCurrency = daily.data?.isMixedCurrency ?? (daily.error === undefined && hasCurrencies(connection));
  return (
    <FigureRow>
      <Figure label="Complete through" {...completeFigure(connection, now)} />
      <Figure label="Rows, last 30 days" {...rowsFigure(daily, runs)} />
      <Figure
        label="Cost, last 30 days"
        value={cost.value}
        note={
          <>
            {cost.note}
            {isMixedCurrency && <ByCurrency currencies={daily.data?.currencies ?? []} />}
          </>
        }
      />
      <Figure label="Runs verified" {...runsFigure(runs)} />
    </FigureRow>
  );
}
