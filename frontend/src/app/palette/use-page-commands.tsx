import { Kbd } from '@mantine/core';
import { IconBuilding, IconSettings, IconUserCircle } from '@tabler/icons-react';
import { paths } from '~/domain/navigation/paths';
import { SETTINGS_TABS } from '~/domain/navigation/settings-tabs';
import { entriesFor } from '~/app/layout/navigation';
import { useOrganizationId, usePlan } from '~/session/organization-context';
import { useUser } from '~/session/session-context';
import { icon } from '~/ui/icon';
import type { Command } from './command';

/** The pages of the navigation, the tabs of the settings, the account, and the other organizations of the user. */
export function usePageCommands(): Command[] {
  const organizationId = useOrganizationId();
  const plan = usePlan();
  const { organizations } = useUser();
  const group = 'Go to';
  return [
    ...entriesFor(plan)
      .flat()
      .map((entry): Command => ({
        id: `page:${entry.label}`,
        group,
        label: entry.label,
        mark: <entry.icon {...icon} />,
        aside: (
          <>
            <Kbd>G</Kbd>
            <Kbd>{entry.shortcut}</Kbd>
          </>
        ),
        to: entry.to(organizationId),
      })),
    ...SETTINGS_TABS.map(({ key, label }): Command => ({
      id: `settings:${key}`,
      group,
      label: `Settings: ${label}`,
      mark: <IconSettings {...icon} />,
      isOnlyFound: true,
      to: paths.settings(organizationId, { tab: key }),
    })),
    {
      id: 'account',
      group,
      label: 'Your account',
      keywords: 'profile password email second factor',
      mark: <IconUserCircle {...icon} />,
      isOnlyFound: true,
      to: paths.account(),
    },
    ...(organizations ?? [])
      .filter((organization) => organization.organizationId !== organizationId)
      .map((organization): Command => ({
        id: organization.organizationId,
        group,
        label: organization.companyName,
        keywords: 'organization switch',
        mark: <IconBuilding {...icon} />,
        isOnlyFound: true,
        to: paths.connections(organization.organizationId),
      })),
  ];
}
