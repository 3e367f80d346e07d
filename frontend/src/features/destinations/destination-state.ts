import { IconCircleCheck, IconCircleMinus, IconCloudOff, IconLock, IconPlugConnectedX } from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import type { Destination } from '~/api/types';
import type { Tone } from '~/domain/connections/connection-state';

export const destinationTable: Record<Destination['state'], { word: string; tone: Tone; icon: Icon }> = {
  ready: { word: 'Ready', tone: 'good', icon: IconCircleCheck },
  needs_reauth: { word: 'Password rejected', tone: 'danger', icon: IconPlugConnectedX },
  unreachable: { word: 'Unreachable', tone: 'danger', icon: IconCloudOff },
  permission_denied: { word: 'Permission missing', tone: 'danger', icon: IconLock },
  disabled: { word: 'Disabled', tone: 'idle', icon: IconCircleMinus },
};

/** `Password rejected` applies only to databases. Other destinations use a sign-in or a key. */
export const stateWord = ({ state, authMode }: Destination): string =>
  state === 'needs_reauth' && authMode !== 'password' ? 'Reconnect needed' : destinationTable[state].word;
