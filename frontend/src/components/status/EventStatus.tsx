import {
  IconAdjustments,
  IconAlertCircle,
  IconCircleCheck,
  IconCircleMinus,
  IconCircleX,
  IconClock,
  IconClockExclamation,
  IconHourglass,
  IconRefresh,
  IconSend,
} from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import { eventStateTable } from '~/domain/conversions/event-state';
import type { EventState } from '~/domain/conversions/event-state';
import { Status } from './Status';

export const eventIcons: Record<EventState, Icon> = {
  ineligible: IconCircleMinus,
  queued: IconHourglass,
  sent: IconSend,
  accepted: IconCircleCheck,
  processed: IconCircleCheck,
  unmatched: IconAlertCircle,
  rejected: IconCircleX,
  retrying: IconRefresh,
  dead: IconCircleX,
  expired: IconClockExclamation,
  adjusted: IconAdjustments,
};

export const nextStepIcon: Icon = IconClock;

/** The state of a conversion event. */
export const EventStatus = ({ state }: { state: EventState }) => (
  <Status icon={eventIcons[state]} tone={eventStateTable[state].tone}>
    {eventStateTable[state].word}
  </Status>
);
