import { IconCircleCheck } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { formatCount } from '~/lib/numbers';
import { paths } from '~/domain/navigation/paths';
import { icon } from '~/ui/icon';
import { Brand } from '~/ui/data/Logo';
import { ProviderMark } from '~/components/status/ProviderMark';
import styles from './AuthFrame.module.css';

/** Example data, not data of a user. */
const EXAMPLE = [
  { account: 'Search, Europe', rows: 184_212 },
  { account: 'Search, Americas', rows: 96_430 },
  { account: 'Shopping', rows: 22_871 },
];
const DAYS = 28;
const PROVISIONAL_DAYS = 7;

function Row({ name, rows, isTotal = false }: { name: React.ReactNode; rows: number; isTotal?: boolean }) {
  return (
    <tr data-total={isTotal || undefined}>
      <th scope="row">{name}</th>
      <td>{formatCount(rows)}</td>
      <td>
        {formatCount(rows)} <IconCircleCheck {...icon} color="var(--t-good)" />
      </td>
    </tr>
  );
}

/** Without dates: creating their formats takes a tenth of the time in which the sign-in page is rendered. */
const Example = () => (
  <div className={styles.example}>
    <p className={styles.claim}>Every row of ad data, verified in source and destination.</p>
    <table className={styles.table}>
      <caption className="visually-hidden">Example: rows read from Google Ads and rows found in PostgreSQL</caption>
      <thead>
        <tr>
          <th scope="col">Yesterday</th>
          <th scope="col">Rows read</th>
          <th scope="col">Rows in PostgreSQL</th>
        </tr>
      </thead>
      <tbody>
        {EXAMPLE.map(({ account, rows }) => (
          <Row
            key={account}
            rows={rows}
            name={
              <span className={styles.account}>
                <ProviderMark provider="google_ads" /> {account}
              </span>
            }
          />
        ))}
        <Row name="Total" rows={EXAMPLE.reduce((sum, { rows }) => sum + rows, 0)} isTotal />
      </tbody>
    </table>
    <div className={styles.days} aria-hidden>
      {Array.from({ length: DAYS }, (_, index) => (
        <span key={index} data-provisional={index >= DAYS - PROVISIONAL_DAYS || undefined} />
      ))}
    </div>
    <p className="label">Complete through yesterday. The last seven days are provisional.</p>
  </div>
);

export const AuthFrame = ({ children, footer }: { children: React.ReactNode; footer?: React.ReactNode }) => (
  <div className={styles.frame}>
    <div className={styles.side}>
      <header>
        <Link to={paths.login()} className={styles.brand} aria-label="Tributary, sign in">
          <Brand />
        </Link>
      </header>
      <main className={styles.form}>{children}</main>
      <footer className={styles.footer}>{footer}</footer>
    </div>
    <aside className={styles.aside} aria-label="What Tributary does">
      <Example />
    </aside>
  </div>
);
