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
  /** The key after G. */
  shortcut: string;
  /** Shown only with billing. */
  isBillingOnly?: true;
  /** Shows the number of open alerts. */
  hasAlertCount?: true;
  /** Open without a plan, too. */
  isAlwaysOpen?: true;
}

/** The groups of the sidebar. The palette and the keyboard shortcuts use the same table. */
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
    { label: 'Alerts', icon: IconBell, to: paths.alerts, segments: ['alert'], shortcut: 'L', hasAlertCount: true },
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

/** The entries of the sidebar: without billing there is no subscription; entries that require a plan are locked. */
export const entriesFor = ({ isBilled, isOpen }: Plan): (NavigationEntry & { isLocked: boolean })[][] =>
  navigation.map((group) =>
    group
      .filter((entry) => isBilled || !entry.isBillingOnly)
      .map((entry) => ({ ...entry, isLocked: !isOpen && !entry.isAlwaysOpen })),
  );

/** Steps that several flows share, with their entry outside a flow. Inside a flow they belong to the flow's entry. */
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

/** The segment of the list that a page belongs to. For a step of a flow, the list where the flow started. */
function segmentOf(pathname: string, origin: FlowState['storedFrom']): string {
  const second = pathname.split('/')[2] ?? '';
  const shared = sharedSteps[pathname] ?? sharedSteps[second];
  if (shared === undefined) return ownSteps[pathname] ?? second;
  return origin === null || origin === 'app' ? shared : origin;
}

export const isCurrent = (entry: NavigationEntry, pathname: string, origin: FlowState['storedFrom']): boolean =>
  entry.segments.includes(segmentOf(pathname, origin));
