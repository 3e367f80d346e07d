import { Link, useLocation } from 'react-router-dom';
import { paths } from '~/domain/navigation/paths';
import { useTitle } from '~/lib/use-title';
import { useOptionalOrganizationId } from '~/session/organization-context';
import { Page, PageHeader } from '~/ui/layout/Page';
import styles from './LaterPage.module.css';
import { roomOf } from './rooms';

const UNKNOWN = {
  title: 'Not here yet',
  text: 'This page is still to come.',
  works: { label: 'Go to the start', to: paths.home },
};

export default function LaterPage() {
  const organizationId = useOptionalOrganizationId();
  const { pathname } = useLocation();
  const room = roomOf(pathname) ?? UNKNOWN;
  useTitle(room.title);
  return (
    <Page width="form">
      <PageHeader title={room.title} />
      <p className={styles.text}>{room.text}</p>
      <p>
        <Link to={organizationId === null ? paths.home() : room.works.to(organizationId)}>{room.works.label}</Link>
      </p>
    </Page>
  );
}
