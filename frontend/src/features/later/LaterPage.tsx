import { Link, useLocation } from 'react-router-dom';
import { paths } from '../../lib/paths';
import { useTitle } from '../../lib/use-title';
import { useOrganizationId } from '../../session/organization-context';
import { Page, PageHeader } from '../../ui/Page';
import styles from './LaterPage.module.css';

interface Room {
  title: string;
  text: string;
  works: { label: string; to: (organizationId: string) => string };
}

const connections = { label: 'Go to connections', to: (organizationId: string) => paths.connections(organizationId) };

/** Rooms that are announced and not built yet: what each will hold, and what works meanwhile. */
const rooms: Record<string, Room> = {
  conversion: {
    title: 'Conversions',
    text: 'Here you will send purchases and leads back to the ad platforms, and see which of them were accepted. This version loads ad data into a warehouse only.',
    works: connections,
  },
  payment: {
    title: 'Payments',
    text: 'Here revenue from a payment provider will join your ad data. This version loads ad data only.',
    works: connections,
  },
  alert: {
    title: 'Alerts',
    text: 'Here you will find what went wrong and what recovered, and choose who is told. Until then every connection shows its health and the one thing to do.',
    works: connections,
  },
  settings: {
    title: 'Settings',
    text: 'Here you will change the organization’s name, invite people and make API keys. Each connection has its settings on its own page already.',
    works: { label: 'Go to apps', to: paths.apps },
  },
  subscription: {
    title: 'Subscription',
    text: 'This instance runs without billing: every organization may use everything.',
    works: connections,
  },
};

export default function LaterPage() {
  const organizationId = useOrganizationId();
  const segment = useLocation().pathname.split('/')[2] ?? '';
  const room = rooms[segment] ?? { title: 'Not here yet', text: 'This page is still to come.', works: connections };
  useTitle(room.title);
  return (
    <Page width="form">
      <PageHeader title={room.title} />
      <p className={styles.text}>{room.text}</p>
      <p>
        <Link to={room.works.to(organizationId)}>{room.works.label}</Link>
      </p>
    </Page>
  );
}
