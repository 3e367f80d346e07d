import { Button } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconRefresh, IconSquare } from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import { useBackfillActions } from '~/api/connections/backfills';
import type { Backfill } from '~/api/types';
import { backfillCan } from '~/domain/connections/backfill';
import { useAction } from '~/lib/use-action';
import { useOrganizationId, usePlanGate } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { toast } from '~/components/feedback/toast';
import { icon } from '~/ui/icon';

type Verb = 'pause' | 'resume' | 'retryFailed' | 'cancel';

const BUTTONS: { verb: Verb; label: string; icon: Icon; needsPlan: boolean }[] = [
  { verb: 'pause', label: 'Pause', icon: IconPlayerPause, needsPlan: false },
  { verb: 'resume', label: 'Resume', icon: IconPlayerPlay, needsPlan: true },
  { verb: 'retryFailed', label: 'Retry failed', icon: IconRefresh, needsPlan: true },
  { verb: 'cancel', label: 'Cancel', icon: IconSquare, needsPlan: false },
];

/** The actions that the state of the backfill allows. */
export function BackfillActions({ backfill, connectionId }: { backfill: Backfill; connectionId: string }) {
  const actions = useBackfillActions(useOrganizationId(), connectionId);
  const roleReason = usePermissionGate('runs.start');
  const planReason = usePlanGate();
  const { run, busyWith, isBusy } = useAction<Verb>({ onError: toast.failed });
  return BUTTONS.filter(({ verb }) => backfillCan[verb](backfill)).map(({ verb, label, icon: ButtonIcon, needsPlan }) => (
    <Button
      key={verb}
      size="xs"
      variant={verb === 'cancel' ? 'subtle' : 'default'}
      leftSection={<ButtonIcon {...icon} size={14} />}
      title={roleReason ?? (needsPlan ? planReason : null) ?? undefined}
      disabled={roleReason !== null || (needsPlan && planReason !== null) || (isBusy && busyWith !== verb)}
      loading={busyWith === verb}
      onClick={() => void run(() => actions[verb](backfill.id), verb)}
    >
      {label}
    </Button>
  ));
}
