import { IconAlertTriangle, IconCircleCheck, IconCircleMinus, IconPlugConnectedX } from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import type { Tone } from './connection-state';

type SourceState = 'ready' | 'needs_reauth' | 'needs_attention' | 'disabled';

export const sourceTable: Record<SourceState, { word: string; tone: Tone; icon: Icon }> = {
  ready: { word: 'Ready', tone: 'good', icon: IconCircleCheck },
  needs_reauth: { word: 'Reconnect needed', tone: 'danger', icon: IconPlugConnectedX },
  needs_attention: { word: 'Needs attention', tone: 'warn', icon: IconAlertTriangle },
  disabled: { word: 'Switched off', tone: 'idle', icon: IconCircleMinus },
};
