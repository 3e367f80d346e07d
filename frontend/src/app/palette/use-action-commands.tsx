import { Kbd, useMantineColorScheme } from '@mantine/core';
import {
  IconCopy,
  IconHistory,
  IconKey,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlus,
  IconSun,
  IconSunMoon,
  IconUserPlus,
} from '@tabler/icons-react';
import { useConnectionActions } from '~/api/connections/use-connection-actions';
import type { Connection } from '~/api/types';
import { whyNotRun } from '~/domain/connections/connection-state';
import { paths } from '~/domain/navigation/paths';
import { useOrganizationId, usePlanGate } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { useSession } from '~/session/session-context';
import { toast } from '~/components/feedback/toast';
import { icon } from '~/ui/icon';
import type { Command } from './command';

const copy = (text: string, what: string) =>
  navigator.clipboard.writeText(text).then(() => toast.done(`${what} copied`), toast.failed);

/** Run, pause or resume, backfill and copy the ID of each connection. */
function useConnectionActionCommands(connections: Connection[]): Command[] {
  const organizationId = useOrganizationId();
  const { run, setActive } = useConnectionActions(organizationId);
  const roleReason = usePermissionGate('connections.write');
  const planReason = usePlanGate();
  const toggle = (connection: Connection, isActive: boolean) =>
    setActive(connection, isActive).then(() => toast.done(`${connection.name} ${isActive ? 'resumed' : 'paused'}`), toast.failed);
  const start = ({ id, name }: Connection) => run(id).then(() => toast.state(`Run of ${name} started`, id), toast.failed);
  return connections.flatMap((connection): Command[] => {
    const { id, name, desired } = connection;
    const isActive = desired === 'active';
    const common = { group: 'Actions' as const, isOnlyFound: true };
    return [
      {
        ...common,
        id: `run:${id}`,
        label: `Run ${name} now`,
        mark: <IconPlayerPlay {...icon} />,
        disabledReason: roleReason ?? planReason ?? whyNotRun(connection),
        act: () => void start(connection),
      },
      {
        ...common,
        id: `switch:${id}`,
        label: `${isActive ? 'Pause' : 'Resume'} ${name}`,
        mark: isActive ? <IconPlayerPause {...icon} /> : <IconPlayerPlay {...icon} />,
        disabledReason: roleReason ?? (isActive ? null : planReason),
        act: () => void toggle(connection, !isActive),
      },
      {
        ...common,
        id: `backfill:${id}`,
        label: `Backfill ${name}`,
        mark: <IconHistory {...icon} />,
        disabledReason: roleReason ?? planReason,
        to: paths.connection(organizationId, id, { tab: 'backfills', new: 'backfill' }),
      },
      {
        ...common,
        id: `copy:${id}`,
        label: `Copy the ID of ${name}`,
        mark: <IconCopy {...icon} />,
        act: () => void copy(id, 'Connection ID'),
      },
    ];
  });
}

function useCreateCommands(): Command[] {
  const organizationId = useOrganizationId();
  const planReason = usePlanGate();
  const create = (id: string, label: string, to: string, roleReason: string | null): Command => ({
    id,
    group: 'Actions',
    label,
    keywords: 'new add',
    mark: <IconPlus {...icon} />,
    disabledReason: roleReason ?? planReason,
    to,
  });
  const connection = create(
    'create:connection',
    'Create connection',
    paths.createConnection(organizationId),
    usePermissionGate('connections.write'),
  );
  return [
    { ...connection, aside: <Kbd>C</Kbd> },
    create(
      'create:conversion',
      'Create conversion',
      paths.createConversion(organizationId),
      usePermissionGate('conversions.write'),
    ),
    create('create:payment', 'Create payment', paths.newPayment(organizationId), usePermissionGate('payments.write')),
    create('create:app', 'Connect app', paths.connectApp(organizationId), usePermissionGate('apps.write')),
    create('create:source', 'Add source', paths.addSource(), usePermissionGate('sources.write')),
    create('create:destination', 'Add destination', paths.addDestination(), usePermissionGate('destinations.write')),
    {
      id: 'invite',
      group: 'Actions',
      label: 'Invite a member',
      keywords: 'team add user people',
      mark: <IconUserPlus {...icon} />,
      disabledReason: usePermissionGate('invitations.write'),
      to: paths.settings(organizationId, { tab: 'team' }),
    },
    {
      id: 'create:key',
      group: 'Actions',
      label: 'Create API key',
      keywords: 'new token',
      mark: <IconKey {...icon} />,
      isOnlyFound: true,
      disabledReason: usePermissionGate('apiKeys.write'),
      to: paths.settings(organizationId, { tab: 'api-keys' }),
    },
  ];
}

const themes = [
  { value: 'light', label: 'Use the light theme', mark: <IconSun {...icon} /> },
  { value: 'dark', label: 'Use the dark theme', mark: <IconMoon {...icon} /> },
  { value: 'auto', label: 'Use the theme of the system', mark: <IconSunMoon {...icon} /> },
] as const;

/** What can be done from any page. */
export function useActionCommands(connections: Connection[], onShortcuts: () => void): Command[] {
  const organizationId = useOrganizationId();
  const { setColorScheme } = useMantineColorScheme();
  const { signOut } = useSession();
  const general = { group: 'Actions' as const, isOnlyFound: true };
  return [
    ...useCreateCommands(),
    ...useConnectionActionCommands(connections),
    ...themes.map(({ value, label, mark }): Command => ({
      ...general,
      id: `theme:${value}`,
      label,
      keywords: 'color scheme mode appearance',
      mark,
      act: () => setColorScheme(value),
    })),
    {
      ...general,
      id: 'copy:organization',
      label: 'Copy the organization ID',
      mark: <IconCopy {...icon} />,
      act: () => void copy(organizationId, 'Organization ID'),
    },
    {
      ...general,
      id: 'shortcuts',
      label: 'Show keyboard shortcuts',
      keywords: 'help keys',
      mark: <IconKeyboard {...icon} />,
      aside: <Kbd>?</Kbd>,
      act: onShortcuts,
    },
    {
      ...general,
      id: 'sign-out',
      label: 'Sign out',
      keywords: 'log out',
      mark: <IconLogout {...icon} />,
      act: () => void signOut().catch(toast.failed),
    },
  ];
}
