import {
  IconArrowsRightLeft,
  IconBell,
  IconCash,
  IconDatabase,
  IconDatabaseImport,
  IconPlugConnected,
  IconSettings,
  IconTargetArrow,
} from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import { paths } from '../lib/paths';

export interface NavigationEntry {
  label: string;
  icon: Icon;
  to: (organizationId: string) => string;
  /** Second path segments that belong to this entry. */
  segments: string[];
  /** Pressed after G. */
  shortcut: string;
}

/** The sidebar's groups; the palette and the keyboard shortcuts read the same table. */
export const navigation: NavigationEntry[][] = [
  [
    {
      label: 'Connections',
      icon: IconArrowsRightLeft,
      to: paths.connections,
      segments: ['connection', 'createConnection'],
      shortcut: 'C',
    },
    { label: 'Conversions', icon: IconTargetArrow, to: paths.conversions, segments: ['conversion'], shortcut: 'V' },
    { label: 'Payments', icon: IconCash, to: paths.payments, segments: ['payment'], shortcut: 'P' },
  ],
  [
    { label: 'Apps', icon: IconPlugConnected, to: paths.apps, segments: ['app'], shortcut: 'A' },
    { label: 'Sources', icon: IconDatabaseImport, to: paths.sources, segments: ['source'], shortcut: 'O' },
    { label: 'Destinations', icon: IconDatabase, to: paths.destinations, segments: ['destination'], shortcut: 'D' },
  ],
  [
    { label: 'Alerts', icon: IconBell, to: paths.alerts, segments: ['alert'], shortcut: 'L' },
    { label: 'Settings', icon: IconSettings, to: paths.settings, segments: ['settings'], shortcut: 'S' },
  ],
];

export const isCurrent = (entry: NavigationEntry, pathname: string): boolean =>
  entry.segments.includes(pathname.split('/')[2] ?? '');
