import { IconArrowRight } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import type { Payment } from '~/api/types';
import { PaymentStatus } from '~/components/status/PaymentStatus';
import { ProviderMark, RouteText } from '~/components/status/ProviderMark';
import { paths } from '~/domain/navigation/paths';
import { formatMinor } from '~/domain/payments/amounts';
import { revenueWords } from '~/domain/payments/payment-events';
import { customerIdText, paymentHealthOf } from '~/domain/payments/payment-state';
import { ActiveSwitch } from '~/features/payments/ActiveSwitch';
import { LastEvent } from '~/features/payments/LastEvent';
import { describeHealth, destinationNames } from '~/features/payments/describe-payment';
import { useOrganizationId } from '~/session/organization-context';
import table from '~/ui/layout/Table.module.css';
import styles from './PaymentsTable.module.css';
import { PaymentMenu } from './PaymentMenu';

function Name({ payment: { id, name, app, destinations } }: { payment: Payment }) {
  const organizationId = useOrganizationId();
  const providers = [...new Set(destinations.map(({ provider }) => provider))];
  return (
    <span className={styles.identity}>
      <span className={styles.marks} aria-hidden>
        <ProviderMark provider={app.provider} />
        <IconArrowRight size={12} stroke={1.75} />
        {providers.map((provider) => (
          <ProviderMark key={provider} provider={provider} />
        ))}
      </span>
      <span>
        <Link to={paths.payment(organizationId, id)} className={table.name}>
          {name}
        </Link>
        <span className={table.second}>
          <RouteText from={app.name} to={destinationNames(destinations)} />
        </span>
      </span>
    </span>
  );
}

function Revenue({ amounts }: { amounts: Payment['netRevenue30Days'] }) {
  if (amounts.length === 0) return <>—</>;
  const [first, ...others] = amounts.map(formatMinor);
  return (
    <>
      {first}
      {others.length > 0 && <span className={table.second}>{others.join(', ')}</span>}
    </>
  );
}

function Row({ payment }: { payment: Payment }) {
  return (
    <tr data-link>
      <td className={styles.name}>
        <Name payment={payment} />
      </td>
      <td className={styles.health}>
        <PaymentStatus health={paymentHealthOf(payment)} />
        <span className={table.second}>{describeHealth(payment)}</span>
      </td>
      <td className={styles.customer}>{customerIdText(payment.customerIdType)}</td>
      <td className={styles.figure}>
        <span className={`label ${styles.label}`}>Last event</span>
        <LastEvent payment={payment} />
      </td>
      <td className={`${table.number} ${styles.figure}`}>
        <span className={`label ${styles.label}`}>{revenueWords(payment.events).label}</span>
        <Revenue amounts={payment.netRevenue30Days} />
      </td>
      <td className={`${table.fit} ${styles.control}`}>
        <ActiveSwitch payment={payment} />
      </td>
      <td className={`${table.fit} ${styles.control}`}>
        <PaymentMenu payment={payment} />
      </td>
    </tr>
  );
}

/** The payments of an organization with the verified revenue of the last 30 days. */
export const PaymentsTable = ({ payments }: { payments: Payment[] }) => (
  <table className={`${table.table} ${styles.table}`} data-rows="two">
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col">Health</th>
        <th scope="col" className={styles.customer}>
          Customer ID
        </th>
        <th scope="col">Last event</th>
        <th scope="col" className={table.number}>
          Revenue, 30 days
        </th>
        <th scope="col">Enabled</th>
        <th scope="col">
          <span className="visually-hidden">More</span>
        </th>
      </tr>
    </thead>
    <tbody>
      {payments.map((payment) => (
        <Row key={payment.id} payment={payment} />
      ))}
    </tbody>
  </table>
);
