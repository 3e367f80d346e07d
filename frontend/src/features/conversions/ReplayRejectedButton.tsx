import { IconRefresh } from '@tabler/icons-react';
import { useConversionActions } from '~/api/conversions/use-conversion-actions';
import { useFunnel } from '~/api/conversions/conversion-events';
import type { Conversion } from '~/api/types';
import { toast } from '~/components/feedback/toast';
import { isReplayable } from '~/domain/conversions/event-state';
import { plural } from '~/lib/numbers';
import { useAction } from '~/lib/use-action';
import { useOrganizationId, usePlanGate } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { icon } from '~/ui/icon';
import { GatedButton } from '~/ui/inputs/GatedButton';

/** Sends all rejected events again. Shown only if there are any. */
export function ReplayRejectedButton({ conversion }: { conversion: Conversion }) {
  const organizationId = useOrganizationId();
  const { replay } = useConversionActions(organizationId);
  const { data: funnel } = useFunnel(organizationId, conversion.id);
  const roleReason = usePermissionGate('conversions.write');
  const planReason = usePlanGate();
  const { run, isBusy } = useAction({ onError: toast.failed });
  const states = (['rejected', 'dead'] as const).filter((state) => funnel?.reasons.some((reason) => reason.state === state));
  if (!funnel?.reasons.some(({ state }) => isReplayable(state))) return null;
  const send = async () => {
    let events = 0;
    for (const state of states) events += await replay(conversion.id, { state });
    toast.done(events === 0 ? 'No event can be sent again' : `${plural(events, 'event')} sent again with the next run`);
  };
  return (
    <GatedButton
      variant="default"
      leftSection={<IconRefresh {...icon} />}
      disabledReason={roleReason ?? planReason}
      loading={isBusy}
      onClick={() => void run(send)}
    >
      Replay rejected events
    </GatedButton>
  );
}
