import { useRecurringRevenue } from '~/api/payments/payments';
import type { Payment, RecurringRevenue } from '~/api/types';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import { formatMinor } from '~/domain/payments/amounts';
import { earlierAmount, leftOutWords, uncertainText } from '~/domain/payments/recurring-revenue';
import { formatDay } from '~/lib/dates';
import { formatCount } from '~/lib/numbers';
import { sentence } from '~/lib/sentence';
import { useNow } from '~/lib/use-now';
import { useOrganizationId } from '~/session/organization-context';
import { RelativeTime } from '~/ui/data/RelativeTime';
import { Notice } from '~/ui/feedback/Notice';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { Section } from '~/ui/layout/Page';
import table from '~/ui/layout/Table.module.css';
import styles from './Payment.module.css';

type Amount = RecurringRevenue['currencies'][number];

function Row({ amount, revenue }: { amount: Amount; revenue: RecurringRevenue }) {
  const now = useNow(300_000);
  const { currency, decimals, amountMinor, pastDueMinor, endingMinor, subscriptions } = amount;
  const money = (minor: number) => formatMinor({ currency, decimals, amountMinor: minor });
  const earlier = earlierAmount(revenue.history, currency, revenue.definitionVersion);
  return (
    <tr>
      <td>{currency}</td>
      <td className={table.number}>
        <strong className="strong">{money(amountMinor)}</strong>
        {earlier && (
          <span className={table.second}>
            {money(earlier.amountMinor)} on {formatDay(earlier.day, now)}
          </span>
        )}
      </td>
      <td className={table.number}>{formatCount(subscriptions)}</td>
      <td className={table.number}>{money(pastDueMinor)}</td>
      <td className={table.number}>{money(endingMinor)}</td>
    </tr>
  );
}

const Amounts = ({ revenue }: { revenue: RecurringRevenue }) => (
  <div className={styles.region} tabIndex={0} role="region" aria-label="Recurring revenue by currency">
    <table className={table.table} data-rows="two">
      <thead>
        <tr>
          <th scope="col">Currency</th>
          {['A month', 'Subscriptions', 'Of it overdue', 'Of it ending'].map((label) => (
            <th key={label} scope="col" className={table.number}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {revenue.currencies.map((amount) => (
          <Row key={amount.currency} amount={amount} revenue={revenue} />
        ))}
      </tbody>
    </table>
  </div>
);

const LeftOut = ({ reasons }: { reasons: RecurringRevenue['leftOut'] }) => (
  <Section title="Not included now" aside="Subscriptions, or items of subscriptions">
    {reasons.length === 0 ? (
      <p className="quiet">Every subscription is included.</p>
    ) : (
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">Reason</th>
            <th scope="col" className={table.number}>
              Number
            </th>
          </tr>
        </thead>
        <tbody>
          {reasons.map(({ reason, count }) => (
            <tr key={reason}>
              <td>{leftOutWords[reason]}</td>
              <td className={table.number}>{formatCount(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    )}
  </Section>
);

const Sentences = ({ title, texts }: { title: string; texts: string[] }) => (
  <div>
    <h3>{title}</h3>
    <ul className={styles.plain}>
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  </div>
);

function Revenue({ revenue }: { revenue: RecurringRevenue }) {
  const { computedAt, currencies, leftOut, uncertain, failure, definition, definitionVersion } = revenue;
  return (
    <>
      {failure && (
        <div className={styles.notice}>
          <Notice tone="warn" title="The recurring revenue could not be computed">
            {sentence(failure.message)} {sentence(failure.action)}{' '}
            {computedAt !== null && 'The figures are those of the last computation.'}
          </Notice>
        </div>
      )}
      <Section
        title="Monthly recurring revenue"
        aside={
          computedAt !== null && (
            <>
              Computed <RelativeTime at={computedAt} isFocusable />
            </>
          )
        }
      >
        {computedAt === null && failure === null && <p className="quiet">It is being computed.</p>}
        {computedAt !== null && currencies.length === 0 && <p className="quiet">No subscription is included.</p>}
        {currencies.length > 0 && <Amounts revenue={revenue} />}
        {uncertain.map((one) => (
          <p key={one.reason} className={styles.uncertain}>
            {uncertainText(one)}
          </p>
        ))}
      </Section>
      {computedAt !== null && <LeftOut reasons={leftOut} />}
      <Section title="Definition" aside={`Version ${definitionVersion}`}>
        <div className={styles.columns}>
          <Sentences title="Included" texts={definition.included} />
          <Sentences title="Not included" texts={definition.leftOut} />
        </div>
      </Section>
    </>
  );
}

/** The figure by currency, with exactly what it means. */
export function RevenueTab({ payment }: { payment: Payment }) {
  const { data, error, mutate } = useRecurringRevenue(useOrganizationId(), payment.id);
  return (
    <LoadedContent
      data={data}
      error={error}
      reload={mutate}
      errorTitle="Couldn’t load the recurring revenue"
      refreshError="notice with age"
      skeleton={<TableSkeleton label="Loading the recurring revenue" rows={4} widths={[60, 120, 80, 100]} />}
    >
      {(revenue) => <Revenue revenue={revenue} />}
    </LoadedContent>
  );
}
