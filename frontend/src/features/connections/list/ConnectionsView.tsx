import { Button, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router-dom';
import { useFreshnessOf } from '~/api/connections/freshness';
import type { ConnectionPage, Freshness } from '~/api/types';
import type { Health } from '~/domain/connections/connection-state';
import { plural } from '~/lib/numbers';
import { useUrlText } from '~/lib/use-url-text';
import { paths } from '~/domain/navigation/paths';
import { useOrganizationId } from '~/session/organization-context';
import { Skeleton } from '~/ui/feedback/Skeleton';
import { icon } from '~/ui/icon';
import { ConnectionsTable } from './ConnectionsTable';
import styles from './ConnectionsView.module.css';
import { Counters } from './Counters';

const BulkBar = lazy(() => import('./BulkBar'));
/** Only on a phone. */
const ConnectionCards = lazy(async () => ({ default: (await import('./ConnectionCards')).ConnectionCards }));
const TagFilter = lazy(() => import('./TagFilter'));

/** Debounce of the search field. */
const SEARCH_DELAY_MS = 250;

function SearchField({ search }: { search: string }) {
  const { text, setText, willWrite } = useUrlText(search);
  const [, setParameters] = useSearchParams();
  const { pathname } = useLocation();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const apply = () => {
    // Read from the address: a filter or a page that was chosen during the delay may not be rendered yet.
    const parameters = new URLSearchParams(window.location.search);
    const next = text.trim();
    if (window.location.pathname !== pathname || next === (parameters.get('search') ?? '')) return;
    willWrite(next);
    parameters.delete('cursor');
    if (next === '') parameters.delete('search');
    else parameters.set('search', next);
    setParameters(parameters, { replace: true });
  };
  // The text can be replaced by a link during the delay.
  const applyNewest = useRef(apply);
  useEffect(() => {
    applyNewest.current = apply;
  });
  return (
    <TextInput
      className={styles.search}
      type="search"
      aria-label="Search connections"
      placeholder="Search connections"
      maxLength={120}
      leftSection={<IconSearch {...icon} />}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => applyNewest.current(), SEARCH_DELAY_MS);
      }}
    />
  );
}

/** How many of the listed connections have their last ended day complete. The freshness can still be that of another filter. */
function Yesterday({ freshness, ids }: { freshness: Freshness[] | undefined; ids: string[] }) {
  const known = freshness?.filter(({ day, connectionId }) => day !== null && ids.includes(connectionId)) ?? [];
  if (known.length === 0) return null;
  return (
    <>
      .{' '}
      <span title="Connections whose data of yesterday is complete, also if earlier days are missing. “Complete through” ends before the first missing day.">
        Yesterday complete: {known.filter(({ isComplete }) => isComplete).length} of {known.length}
      </span>
    </>
  );
}

/** Not shown without tags. Loaded when there are some. */
function Tags({ tags }: { tags: string[] }) {
  const [parameters] = useSearchParams();
  if (tags.length === 0 && parameters.get('tag') === null) return null;
  return (
    <Suspense fallback={<Skeleton width={180} height={32} radius={6} />}>
      <TagFilter tags={tags} />
    </Suspense>
  );
}

interface ListProps {
  page: ConnectionPage;
  isPhone: boolean;
  /** Only on a phone: a table always shows its check boxes. */
  isSelecting: boolean;
  freshness: Freshness[] | undefined;
  chosen: string[];
  onChoose: (ids: string[]) => void;
}

function List({ page: { items }, isPhone, isSelecting, freshness, ...selection }: ListProps) {
  const organizationId = useOrganizationId();
  if (items.length === 0)
    return (
      <p className={styles.none}>
        No matching connections. <Link to={paths.connections(organizationId)}>Show all</Link>
      </p>
    );
  if (!isPhone) return <ConnectionsTable connections={items} freshness={freshness} {...selection} />;
  return (
    <Suspense>
      <ConnectionCards connections={items} isSelecting={isSelecting} {...selection} />
    </Suspense>
  );
}

interface ConnectionsViewProps {
  page: ConnectionPage;
  health: Health | null;
  search: string;
  isPhone: boolean;
  /** The list of this filter could not be loaded: only the fields to change the filter are shown. */
  isFailed: boolean;
}

export function ConnectionsView({ page, health, search, isPhone, isFailed }: ConnectionsViewProps) {
  const organizationId = useOrganizationId();
  const [chosen, setChosen] = useState<string[]>([]);
  const [isSelecting, setSelecting] = useState(false);
  const [parameters] = useSearchParams();
  const ids = page.items.map(({ id }) => id).sort();
  const { data: freshness } = useFreshnessOf(organizationId, ids);
  const selected = page.items.filter(({ id }) => chosen.includes(id));
  const next =
    page.nextCursor &&
    `?${new URLSearchParams([...[...parameters].filter(([key]) => key !== 'cursor'), ['cursor', page.nextCursor]])}`;
  const switchSelecting = () => {
    setSelecting(!isSelecting);
    setChosen([]);
  };
  return (
    <>
      {!isFailed && <Counters counts={page.counts} current={health} search={search} tag={parameters.get('tag')} />}
      <div className={styles.tools}>
        <span className={styles.filters}>
          <SearchField search={search} />
          <Tags tags={page.tags} />
        </span>
        {isPhone && page.items.length > 0 && (
          <Button variant="default" onClick={switchSelecting}>
            {isSelecting ? 'Done' : 'Select'}
          </Button>
        )}
        {!isFailed && (
          <span className={styles.summary}>
            {plural(page.items.length, 'connection')}, sorted by severity
            <Yesterday freshness={freshness} ids={ids} />
          </span>
        )}
      </div>
      {!isFailed && (
        <List {...{ page, isPhone, isSelecting, freshness }} chosen={selected.map(({ id }) => id)} onChoose={setChosen} />
      )}
      {next && (
        <p className={styles.more}>
          <Link to={next}>Next connections</Link>
        </p>
      )}
      {selected.length > 0 && (
        <Suspense>
          <BulkBar chosen={selected} onChoose={setChosen} />
        </Suspense>
      )}
    </>
  );
}
