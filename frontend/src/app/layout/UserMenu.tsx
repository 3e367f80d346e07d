import { Menu, useMantineColorScheme } from '@mantine/core';
import type { MantineColorScheme } from '@mantine/core';
import { IconDots, IconFlask, IconLogout, IconMail, IconUserCircle, IconUsers } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import useSWR from 'swr';
import { loadConfig } from '~/api/http/config';
import { paths } from '~/domain/navigation/paths';
import { useSession, useUser } from '~/session/session-context';
import { icon } from '~/ui/icon';
import { PersonMark } from '~/components/organization/OrganizationLogo';
import { toast } from '~/components/feedback/toast';
import styles from './UserMenu.module.css';

const SCHEMES: { value: MantineColorScheme; label: string }[] = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'auto', label: 'System' },
];

/** Where a demo simulates the ad platforms and receives mail. */
function DemoItems() {
  const { data: config } = useSWR('config', loadConfig, { revalidateOnFocus: false });
  if (!config?.isDemo) return null;
  const items = [
    { label: 'Demo data', href: config.sandboxUrl, icon: IconFlask },
    { label: 'Demo inbox', href: config.mailUrl, icon: IconMail },
  ];
  return items.map(
    ({ label, href, icon: ItemIcon }) =>
      href !== null && (
        <Menu.Item key={label} component="a" href={href} target="_blank" rel="noreferrer" leftSection={<ItemIcon {...icon} />}>
          {label}
        </Menu.Item>
      ),
  );
}

export function UserMenu() {
  const { displayName, email, photoURL, super_admin: isStaff } = useUser();
  const { signOut } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="top-start" width={232} withinPortal={false} floatingStrategy="fixed">
      <Menu.Target>
        <button type="button" className={styles.user}>
          <PersonMark name={displayName} photo={photoURL} />
          <span className={styles.name}>{displayName}</span>
          <span className="visually-hidden">Account menu</span>
          <IconDots {...icon} className={styles.dots} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={styles.mail}>{email}</div>
        <div role="group" aria-label="Theme" className={styles.themes}>
          {SCHEMES.map(({ value, label }) => (
            <Menu.RadioItem
              key={value}
              value={value}
              checked={colorScheme === value}
              checkIcon={<></>}
              className={styles.theme}
              closeMenuOnClick={false}
              onChange={() => setColorScheme(value)}
            >
              {label}
            </Menu.RadioItem>
          ))}
        </div>
        <Menu.Divider />
        <Menu.Item component={Link} to={paths.account()} leftSection={<IconUserCircle {...icon} />}>
          Your account
        </Menu.Item>
        {isStaff && (
          <Menu.Item leftSection={<IconUsers {...icon} />} component={Link} to={paths.people()}>
            People
          </Menu.Item>
        )}
        <DemoItems />
        <Menu.Item leftSection={<IconLogout {...icon} />} onClick={() => void signOut().catch(toast.failed)}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
