import { SegmentedControl, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useSearchParams } from 'react-router-dom';
import { useCatalog } from '~/api/catalog';
import { paths } from '~/domain/navigation/paths';
import { useTitle } from '~/lib/use-title';
import { useOrganizationId } from '~/session/organization-context';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { ErrorNotice } from '~/components/feedback/ErrorNotice';
import { icon } from '~/ui/icon';
import { Page, PageHeader, Section } from '~/ui/layout/Page';
import { categoryWords, linesOf, searchCatalog } from './catalog';
import type { RoleFilter } from './catalog';
import { CatalogEntry } from './CatalogEntry';
import styles from './ConnectAppPage.module.css';

const ROLES: { value: RoleFilter; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'source', label: 'Sources' },
  { value: 'destination', label: 'Destinations' },
];

const toRole = (text: string | null): RoleFilter => ROLES.find(({ value }) => value === text)?.value ?? 'all';

/** Search and role filter, stored in the URL. */
function useFilter() {
  const [parameters, setParameters] = useSearchParams();
  const set = (name: string, value: string) =>
    setParameters(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === '' || value === 'all') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  return { search: parameters.get('search') ?? '', role: toRole(parameters.get('role')), set };
}

export default function ConnectAppPage() {
  useTitle('Connect an app');
  const organizationId = useOrganizationId();
  const { data, error, mutate } = useCatalog();
  const { search, role, set } = useFilter();
  const found = data ? searchCatalog(linesOf(data.connectors), search, role) : [];
  return (
    <Page width="form">
      <PageHeader title="Connect an app" parent={{ label: 'Apps', to: paths.apps(organizationId) }} />
      <div className={styles.tools}>
        <TextInput
          w={{ base: '100%', sm: 240 }}
          aria-label="Search the catalog"
          placeholder="Search the catalog"
          leftSection={<IconSearch {...icon} />}
          value={search}
          onChange={(event) => set('search', event.currentTarget.value)}
        />
        <SegmentedControl data={ROLES} value={role} onChange={(value) => set('role', value)} aria-label="Role" />
      </div>
      {error !== undefined && <ErrorNotice error={error} title="Couldn’t load the catalog" onRetry={() => void mutate()} />}
      {!data && error === undefined && <TableSkeleton label="Loading the catalog" rows={3} widths={[32, '60%', 120]} />}
      {data && found.length === 0 && <p className={styles.none}>No results for “{search}”</p>}
      {found.map(([category, lines]) => (
        <Section key={category} title={categoryWords[category]}>
          <ul className={styles.entries}>
            {lines.map((line) => (
              <CatalogEntry key={line.provider} line={line} />
            ))}
          </ul>
        </Section>
      ))}
    </Page>
  );
}
