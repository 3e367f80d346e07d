import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { useConversionActions } from '~/api/conversions/use-conversion-actions';
import type { Conversion } from '~/api/types';
import { ActionButton } from '~/components/flow/ActionButton';
import { healthIcons } from '~/components/status/Status';
import { healthTable } from '~/domain/connections/connection-state';
import { healthOf } from '~/domain/conversions/conversion-state';
import { paths } from '~/domain/navigation/paths';
import { useRunGate } from '~/features/conversions/use-run-gate';
import { accessLinkOf } from './access-link';
import { formatFuture } from '~/lib/relative-time';
import { sentence } from '~/lib/sentence';
import { useNow } from '~/lib/use-now';
import { useOrganizationId, usePlanGate } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { Notice } from '~/ui/feedback/Notice';
import styles from './Overview.module.css';

/** A paused conversion shows the failure that paused it. */
const failureOf = ({ failure, pause }: Conversion) => pause?.failure ?? failure;

function ResumeButton({ conversion }: { conversion: Conversion }) {
  const { setActive } = useConversionActions(useOrganizationId());
  const roleReason = usePermissionGate('conversions.write');
  const planReason = usePlanGate();
  return (
    <ActionButton disabledReason={roleReason ?? planReason} onAct={() => setActive(conversion, true)}>
      Resume
    </ActionButton>
  );
}

/** One action: the page where the cause is fixed, or another run. */
function Action({ conversion }: { conversion: Conversion }) {
  const organizationId = useOrganizationId();
  const { run } = useConversionActions(organizationId);
  const disabledReason = useRunGate(conversion);
  const { health, id, source } = conversion;
  const failure = failureOf(conversion);
  const link = (to: string, label: string) => (
    <Button component={Link} to={to}>
      {label}
    </Button>
  );
  if (health === 'needs_reauth' || failure?.class === 'auth' || failure?.class === 'permission') {
    const { to, label } = accessLinkOf(organizationId, conversion);
    return link(to, label);
  }
  if (health === 'partial')
    return link(paths.conversion(organizationId, id, { tab: 'events', state: 'rejected' }), 'Show rejected events');
  if (failure?.code === 'google_ads_upload.not_allowlisted')
    return link(paths.conversion(organizationId, id, { tab: 'settings' }), 'Choose the API');
  if (failure?.class === 'config' && /_conversions\.|^google_(data_manager|ads_upload)\./.test(failure.code))
    return link(paths.conversion(organizationId, id, { tab: 'settings' }), 'Check what receives the events');
  if (failure?.class === 'config') return link(paths.conversion(organizationId, id, { tab: 'mapping' }), 'Check the mapping');
  if (failure?.class === 'destination' && source.destinationId !== null)
    return link(paths.destination(organizationId, source.destinationId), 'Check the source');
  if (conversion.desired === 'paused') return <ResumeButton conversion={conversion} />;
  return (
    <ActionButton disabledReason={disabledReason} onAct={() => run(id)}>
      Run again
    </ActionButton>
  );
}

/** The problem, its cause and one action. Renders nothing for a conversion that is healthy or that a user paused. */
export function ConversionNotice({ conversion }: { conversion: Conversion }) {
  const now = useNow();
  const health = healthOf(conversion);
  const { pause, waitingUntil, healthReason } = conversion;
  const failure = failureOf(conversion);
  const tone = pause?.reason === 'failures' ? 'danger' : healthTable[health].tone;
  if (tone === 'good' || tone === 'idle') return null;
  return (
    <div className={styles.notice}>
      <Notice
        tone={tone}
        icon={healthIcons[health]}
        title={healthReason}
        actions={health === 'rate_limited' ? undefined : <Action conversion={conversion} />}
      >
        {failure && `${failure.message === healthReason ? '' : `${sentence(failure.message)} `}${sentence(failure.action)}`}
        {waitingUntil && ` The next attempt is ${formatFuture(waitingUntil, now)}. Events wait and are not lost.`}
        {failure?.providerRequestId && (
          <>
            {' '}
            Request <code>{failure.providerRequestId}</code>
          </>
        )}
      </Notice>
    </div>
  );
}
