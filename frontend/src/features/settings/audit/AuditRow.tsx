import { IconChevronRight } from '@tabler/icons-react';
import type { AuditEvent } from '~/api/types';
import { formatExact, formatMoment } from '~/lib/dates';
import { formatCount } from '~/lib/numbers';
import { roleWords } from '~/domain/accounts/roles';
import { useNow } from '~/lib/use-now';
import { DescriptionList } from '~/ui/data/DescriptionList';
import type { Fact } from '~/ui/data/DescriptionList';
import { icon } from '~/ui/icon';
import { RouteText } from '~/components/status/ProviderMark';
import { useOrganization } from '~/session/organization-context';
import styles from './Audit.module.css';
import { changesOf, describeAction, describeActor, describeTarget } from './describe-event';

const fact = (label: string, value: string | null): Fact[] => (value === null || value === '' ? [] : [{ label, value }]);

const detailsOf = (event: AuditEvent): Fact[] => [
  ...fact('Time', formatExact(event.at)),
  ...fact('Last time', event.lastAt && formatExact(event.lastAt)),
  ...fact('Occurrences in this hour', event.count > 1 ? formatCount(event.count) : null),
  ...fact('Action', event.action),
  ...fact('Role at that time', event.role && roleWords[event.role]),
  ...fact(`ID of the ${event.target.type}`, event.target.id),
  ...changesOf(event).map(({ field, before, after }) => ({ label: field, value: <RouteText from={before} to={after} /> })),
  ...fact('IP address', event.ip),
  ...fact('Request', event.requestId),
];

export function AuditRow({ event }: { event: AuditEvent }) {
  const now = useNow();
  const organization = useOrganization();
  return (
    <li className={styles.item}>
      <details>
        <summary className={styles.row}>
          <IconChevronRight {...icon} size={14} className={styles.chevron} />
          <time dateTime={event.at} className={styles.at}>
            {formatMoment(event.at, now)}
          </time>
          <span className={styles.what}>
            {describeAction(event.action)}
            {event.count > 1 && <span className={styles.count}> × {formatCount(event.count)}</span>}
          </span>
          <span className={styles.target}>{describeTarget(event.target, organization.document?.company_name)}</span>
          <span className={styles.who}>{describeActor(event)}</span>
        </summary>
        <div className={styles.details}>
          <DescriptionList facts={detailsOf(event)} />
        </div>
      </details>
    </li>
  );
}
