import {
  IconCircleCheck,
  IconCircleDashed,
  IconCircleHalf2,
  IconCircleMinus,
  IconCircleX,
  IconClockExclamation,
  IconHistory,
  IconHourglass,
  IconLoader2,
  IconPlayerPause,
  IconPlugConnectedX,
  IconShieldQuestion,
} from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import { healthTable, runTable } from '~/domain/connections/connection-state';
import type { Health, RunState, Tone } from '~/domain/connections/connection-state';
import { icon } from '~/ui/icon';
import styles from './Status.module.css';

export const healthIcons: Record<Health, Icon> = {
  needs_reauth: IconPlugConnectedX,
  failing: IconCircleX,
  stale: IconClockExclamation,
  partial: IconCircleHalf2,
  unverified: IconShieldQuestion,
  rate_limited: IconHourglass,
  backfilling: IconHistory,
  healthy: IconCircleCheck,
  never_run: IconCircleDashed,
  paused: IconPlayerPause,
};

const runIcons: Record<RunState, Icon> = {
  queued: IconCircleDashed,
  running: IconLoader2,
  waiting: IconHourglass,
  verifying: IconLoader2,
  succeeded: IconCircleCheck,
  partial: IconCircleHalf2,
  unverified: IconShieldQuestion,
  failed: IconCircleX,
  cancelled: IconCircleMinus,
  skipped: IconCircleMinus,
};

interface StatusProps {
  icon: Icon;
  tone: Tone;
  children: React.ReactNode;
}

/** A status: icon, word and color. */
export function Status({ icon: StatusIcon, tone, children }: StatusProps) {
  const isTurning = StatusIcon === IconLoader2;
  return (
    <span className={styles.status} data-tone={tone}>
      <StatusIcon {...icon} className={isTurning ? styles.turning : undefined} />
      <span className={styles.word}>{children}</span>
    </span>
  );
}

export const HealthStatus = ({ health }: { health: Health }) => (
  <Status icon={healthIcons[health]} tone={healthTable[health].tone}>
    {healthTable[health].word}
  </Status>
);

/** A run without progress is shown as stuck, in any state. */
export const RunStatus = ({ state, word, isStuck = false }: { state: RunState; word?: string; isStuck?: boolean }) =>
  isStuck ? (
    <Status icon={IconClockExclamation} tone="warn">
      Stuck
    </Status>
  ) : (
    <Status icon={runIcons[state]} tone={runTable[state].tone}>
      {word ?? runTable[state].word}
    </Status>
  );
