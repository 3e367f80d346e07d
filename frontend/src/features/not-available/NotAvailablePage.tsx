import { Link, useLocation } from 'react-router-dom';
import { paths } from '~/domain/navigation/paths';
import { useTitle } from '~/lib/use-title';
import { useOptionalOrganizationId } from '~/session/organization-context';
import { Page, PageHeader } from '~/ui/layout/Page';
import styles from './NotAvailablePage.module.css';
import { plannedPageOf } from './planned-pages';

const UNKNOWN = {
  title: 'Not available yet',
  text: 'This page is not available yet.',
  alternative: { label: 'Go to the start page', to: paths.home },
};

export default function NotAvailablePage() {
  const organizationId = useOptionalOrganizationId();
  const { pathname } = useLocation();
  const page = plannedPageOf(pathname) ?? UNKNOWN;
  useTitle(page.title);
  return (
    <Page width="form">
      <PageHeader title={page.title} />
      <p className={styles.text}>{page.text}</p>
      <p>
        <Link to={organizationId === null ? paths.home() : page.alternative.to(organizationId)}>{page.alternative.label}</Link>
      </p>
    </Page>
  );
}
