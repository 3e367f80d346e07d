import { Button } from '@mantine/core';
import { IconCircleCheck, IconCircleMinus, IconCircleX, IconEye } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { useSWRConfig } from 'swr';
import { acknowledgeAlert } from '~/api/alerts';
import { keysOf } from '~/api/http/keys';
import type { Alert } from '~/api/types';
import { ErrorText } from '~/components/feedback/ErrorText';
import { Status } from '~/components/status/Status';
import { useAction } from '~/lib/use-action';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { RelativeTime } from '~/ui/data/RelativeTime';
import { LockedReason } from '~/ui/feedback/LockedReason';
import { fixOf } from './fix-of';
import styles from './Alerts.module.css';

const STATES = {
  open: { icon: IconCircleX, tone: 'danger', word: 'Open' },
  acknowledged: { icon: IconEye, tone: 'idle', word: 'Acknowledged' },
  recovered: { icon: IconCircleCheck, tone: 'good', word: 'Recovered' },
} as const;
/** It ended without a recovery. */
const CLOSED = { icon: IconCircleMinus, tone: 'idle', word: 'Ended' } as const;

const CLASSES: Record<string, string> = {
  auth: 'Sign-in',
  permission: 'Permission',
  quota: 'Quota',
  transient: 'Temporary',
  config: 'Configuration',
  schema: 'Schema',
  destination: 'Destination',
  data: 'Data',
  internal: 'Internal',
};

function AcknowledgeButton({ alert }: { alert: Alert }) {
  const organizationId = useOrganizationId();
  const { mutate } = useSWRConfig();
  const { run, isBusy, error } = useAction();
  const disabledReason = usePermissionGate('alerts.write');
  const acknowledge = async () => {
    await acknowledgeAlert(organizationId, alert.id);
    await mutate(keysOf(organizationId, 'alerts'));
  };
  return (
    <>
      <Button
        size="xs"
        variant="subtle"
        loading={isBusy}
        disabled={disabledReason !== null}
        onClick={() => void run(acknowledge)}
        aria-label={`Acknowledge: ${alert.title}`}
      >
        Acknowledge
      </Button>
      {disabledReason !== null && <LockedReason>{disabledReason}</LockedReason>}
      {error !== null && <ErrorText error={error} />}
    </>
  );
}

const Times = ({ alert: { openedAt, acknowledgedAt, acknowledgedBy, recoveredAt, isClosed } }: { alert: Alert }) => (
  <p className={styles.times}>
    Opened <RelativeTime at={openedAt} isFocusable />
    {acknowledgedAt !== null && (
      <>
        {' · '}acknowledged{acknowledgedBy === null ? '' : ` by ${acknowledgedBy}`} <RelativeTime at={acknowledgedAt} />
      </>
    )}
    {recoveredAt !== null && (
      <>
        {isClosed ? ' · ended ' : ' · recovered '}
        <RelativeTime at={recoveredAt} />
      </>
    )}
  </p>
);

/** An alert with its cause and one button that leads to the fix. */
export function AlertRow({ alert }: { alert: Alert }) {
  const organizationId = useOrganizationId();
  const { icon, tone, word } = alert.isClosed ? CLOSED : STATES[alert.state];
  const fix = fixOf(organizationId, alert);
  return (
    <li className={styles.alert} data-state={alert.state}>
      <div className={styles.text}>
        <h2 className={styles.title}>{alert.title}</h2>
        <p>{alert.message}</p>
        {alert.state !== 'recovered' && <p className={styles.action}>{alert.action}</p>}
        <Times alert={alert} />
      </div>
      <div className={styles.side}>
        <Status icon={icon} tone={tone}>
          {word}
        </Status>
        <span className={styles.class}>{CLASSES[alert.class] ?? alert.class}</span>
        <span className={styles.buttons}>
          {alert.state !== 'recovered' && (
            <Button component={Link} to={fix.to} size="xs" variant="default">
              {fix.label}
            </Button>
          )}
          {alert.state === 'open' && <AcknowledgeButton alert={alert} />}
        </span>
      </div>
    </li>
  );
}
