import { IconAlertTriangle, IconCircleCheck, IconCircleMinus, IconPlugConnectedX } from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import type { Source } from '../api/types';
import type { Tone } from '../lib/connection-state';

export const sourceTable: Record<Source['state'], { word: string; tone: Tone; icon: Icon }> = {
  ready: { word: 'Ready', tone: 'good', icon: IconCircleCheck },
  needs_reauth: { word: 'Reconnect needed', tone: 'danger', icon: IconPlugConnectedX },
  needs_attention: { word: 'Needs attention', tone: 'warn', icon: IconAlertTriangle },
  disabled: { word: 'Switched off', tone: 'idle', icon: IconCircleMinus },
};
