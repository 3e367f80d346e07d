import { Link } from 'react-router-dom';
import type { Conversion, ConversionFunnel } from '~/api/types';
import { EventStatus } from '~/components/status/EventStatus';
import { codeText } from '~/domain/conversions/event-state';
import { describeFunnel, funnelStages } from '~/domain/conversions/funnel';
import { paths } from '~/domain/navigation/paths';
import { formatDay } from '~/lib/dates';
import { formatCount } from '~/lib/numbers';
import { useNow } from '~/lib/use-now';
import { useOrganizationId } from '~/session/organization-context';
import { Section } from '~/ui/layout/Page';
import table from '~/ui/layout/Table.module.css';
import styles from './Overview.module.css';

type Reporting = Pick<Conversion['target'], 'reportsResults'>;

const Stages = ({ total, reportsResults }: Pick<ConversionFunnel, 'total'> & Reporting) => (
  <Section title="Last 30 days">
    <p className="visually-hidden">{describeFunnel(total, reportsResults)}</p>
    <div className={styles.stages}>
      {funnelStages(total, reportsResults).map(({ key, label, events, share, note }) => (
        <div key={key} className={styles.stage}>
          <p className="label">{label}</p>
          <p className={styles.value}>{formatCount(events)}</p>
          <div className={styles.track} aria-hidden>
            <div className={styles.fill} style={{ width: `${share * 100}%` }} />
          </div>
          <p className="label">{note}</p>
        </div>
      ))}
    </div>
  </Section>
);

function Days({ days, reportsResults }: Pick<ConversionFunnel, 'days'> & Reporting) {
  const now = useNow(300_000);
  return (
    <Section title="By day of arrival" aside="Days in UTC">
      <div className={styles.frame} tabIndex={0} role="region" aria-label="Events by day">
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">Day</th>
              {['Received', 'Eligible', 'Accepted', 'Rejected'].map((label) => (
                <th key={label} scope="col" className={table.number}>
                  {label}
                </th>
              ))}
              <th scope="col" className={`${table.number} ${styles.narrow}`}>
                Processed
              </th>
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map((day) => (
              <tr key={day.day}>
                <td>{formatDay(day.day, now)}</td>
                <td className={table.number}>{formatCount(day.received)}</td>
                <td className={table.number}>{formatCount(day.eligible)}</td>
                <td className={table.number}>{formatCount(day.accepted)}</td>
                <td className={table.number}>{formatCount(day.rejected)}</td>
                <td className={`${table.number} ${styles.narrow}`}>{formatCount(reportsResults ? day.processed : null)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

function Reasons({ reasons, conversionId }: Pick<ConversionFunnel, 'reasons'> & { conversionId: string }) {
  const organizationId = useOrganizationId();
  return (
    <Section title="Why events were not counted">
      {reasons.length === 0 ? (
        <p className="quiet">No event was held back or rejected.</p>
      ) : (
        <table className={table.table} data-rows="two">
          <thead>
            <tr>
              <th scope="col">Reason</th>
              <th scope="col">State</th>
              <th scope="col" className={table.number}>
                Events
              </th>
            </tr>
          </thead>
          <tbody>
            {reasons.map(({ code, message, state, events }) => (
              <tr key={`${code} ${state}`} data-link>
                <td>
                  <Link to={paths.conversion(organizationId, conversionId, { tab: 'events', state })} className={table.name}>
                    {message ?? codeText(code)}
                  </Link>
                  {message && <code className={table.second}>{code}</code>}
                </td>
                <td>
                  <EventStatus state={state} />
                </td>
                <td className={table.number}>{formatCount(events)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}

/** The funnel from arrival to the platform's decision, by day, with the reasons of the losses. */
export const FunnelView = ({ funnel, conversion: { id, target } }: { funnel: ConversionFunnel; conversion: Conversion }) => (
  <>
    <Stages total={funnel.total} reportsResults={target.reportsResults} />
    {funnel.days.length > 0 && <Days days={funnel.days} reportsResults={target.reportsResults} />}
    <Reasons reasons={funnel.reasons} conversionId={id} />
  </>
);
