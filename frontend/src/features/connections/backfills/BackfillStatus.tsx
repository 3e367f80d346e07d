import {
  IconCircleCheck,
  IconCircleDashed,
  IconCircleHalf2,
  IconCircleMinus,
  IconCircleX,
  IconLoader2,
  IconPlayerPause,
} from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import type { BackfillState } from '~/domain/connections/backfill';
import { backfillTable } from '~/domain/connections/backfill';
import { Status } from '~/components/status/Status';

const icons: Record<BackfillState, Icon> = {
  scheduled: IconCircleDashed,
  running: IconLoader2,
  paused: IconPlayerPause,
  completed: IconCircleCheck,
  completed_with_errors: IconCircleHalf2,
  failed: IconCircleX,
  cancelled: IconCircleMinus,
};

export const BackfillStatus = ({ state }: { state: BackfillState }) => (
  <Status icon={icons[state]} tone={backfillTable[state].tone}>
    {backfillTable[state].word}
  </Status>
);
