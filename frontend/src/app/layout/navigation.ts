import {
  IconArrowsRightLeft,
  IconBell,
  IconCash,
  IconCreditCard,
  IconDatabase,
  IconDatabaseImport,
  IconPlugConnected,
  IconSettings,
  IconTargetArrow,
} from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import type { FlowState } from '~/domain/navigation/flow-state';
import { flowPatterns, paths } from '~/domain/navigation/paths';

export interface NavigationEntry {
  label: string;
  icon: Icon;
  to: (organizationId: string) => string;
  /** Second path segments that belong to this entry. */
  segments: string[];
  /** Pressed after G. */
  shortcut: string;
  /** Where it makes sense: without billing there is no plan to look at. */
  isBillingOnly?: true;
  /** Open also to an organization without a plan. */
  isAlwaysOpen?: true;
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
    {
      label: 'Conversions',
      icon: IconTargetArrow,
      to: paths.conversions,
      segments: ['conversion', 'createConversion'],
      shortcut: 'V',
    },
    { label: 'Payments', icon: IconCash, to: paths.payments, segments: ['payment'], shortcut: 'P' },
  ],
  [
    { label: 'Apps', icon: IconPlugConnected, to: paths.apps, segments: ['app'], shortcut: 'A' },
    { label: 'Sources', icon: IconDatabaseImport, to: paths.sources, segments: ['source'], shortcut: 'O' },
    { label: 'Destinations', icon: IconDatabase, to: paths.destinations, segments: ['destination'], shortcut: 'D' },
  ],
  [
    { label: 'Alerts', icon: IconBell, to: paths.alerts, segments: ['alert'], shortcut: 'L' },
    { label: 'Settings', icon: IconSettings, to: paths.settings, segments: ['settings'], shortcut: 'S', isAlwaysOpen: true },
    {
      label: 'Subscription',
      icon: IconCreditCard,
      to: paths.subscription,
      segments: ['subscription'],
      shortcut: 'B',
      isBillingOnly: true,
      isAlwaysOpen: true,
    },
  ],
];

interface Plan {
  isBilled: boolean;
  isOpen: boolean;
}

/** What the sidebar shows of the table: no plan where nobody bills, and a lock on what waits for one. */
export const entriesFor = ({ isBilled, isOpen }: Plan): (NavigationEntry & { isLocked: boolean })[][] =>
  navigation.map((group) =>
    group
      .filter((entry) => isBilled || !entry.isBillingOnly)
      .map((entry) => ({ ...entry, isLocked: !isOpen && !entry.isAlwaysOpen })),
  );

/** Steps that several flows share: where each belongs by itself. Within a flow they belong to what the flow makes. */
const sharedSteps: Record<string, string> = {
  [flowPatterns.addSource]: 'source',
  [flowPatterns.sourceSettings]: 'source',
  [flowPatterns.addDestination]: 'destination',
  [flowPatterns.bigquery]: 'destination',
  GoogleAds: 'app',
  MetaAds: 'app',
  MicrosoftAds: 'app',
};

const ownSteps: Record<string, string> = {
  [flowPatterns.addConversionSource]: 'conversion',
  [flowPatterns.addConversionDestination]: 'conversion',
  [flowPatterns.googleReauth]: 'app',
  [flowPatterns.metaReauth]: 'app',
  [flowPatterns.microsoftReauth]: 'app',
};

/** The segment of the list a page belongs to: for a step of a flow, where the flow began. */
function segmentOf(pathname: string, origin: FlowState['storedFrom']): string {
  const second = pathname.split('/')[2] ?? '';
  const shared = sharedSteps[pathname] ?? sharedSteps[second];
  if (shared === undefined) return ownSteps[pathname] ?? second;
  return origin === null || origin === 'app' ? shared : origin;
}

export const isCurrent = (entry: NavigationEntry, pathname: string, origin: FlowState['storedFrom']): boolean =>
  entry.segments.includes(segmentOf(pathname, origin));
