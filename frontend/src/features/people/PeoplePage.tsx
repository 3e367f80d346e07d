import { Button, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { usePeople } from '~/api/people';
import type { PersonEntry } from '~/api/types';
import { useTitle } from '~/lib/use-title';
import { useUser } from '~/session/session-context';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { ErrorNotice } from '~/components/feedback/ErrorNotice';
import { icon } from '~/ui/icon';
import { LockedReason } from '~/ui/feedback/LockedReason';
import { AccessDialog } from './AccessDialog';
import styles from './PeoplePage.module.css';
import { PersonRow } from './PersonRow';

const SKELETON = <TableSkeleton label="Loading people" rows={6} widths={[28, '40%', '20%', 80]} />;

/** Searches on Enter and on blur. */
function SearchField({ onSearch }: { onSearch: (email: string) => void }) {
  const [text, setText] = useState('');
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(text.trim());
      }}
    >
      <TextInput
        label="Email"
        placeholder="Part of an email address"
        leftSection={<IconSearch {...icon} />}
        value={text}
        maxLength={320}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={() => onSearch(text.trim())}
        className={styles.search}
      />
    </form>
  );
}

function People() {
  const [email, setEmail] = useState('');
  const [changing, setChanging] = useState<PersonEntry | null>(null);
  const { data: pages, error, size, setSize, isValidating, mutate } = usePeople(email);
  const people = pages?.flatMap(({ items }) => items);
  const hasMore = Boolean(pages?.at(-1)?.nextCursor);
  return (
    <>
      <SearchField onSearch={setEmail} />
      {error !== undefined && <ErrorNotice error={error} title="Couldn’t load people" onRetry={() => void mutate()} />}
      {!people && error === undefined && SKELETON}
      {people?.length === 0 && <p className="quiet">No results for “{email}”</p>}
      {people && people.length > 0 && (
        <ul className={styles.list} aria-label="People">
          {people.map((person) => (
            <PersonRow key={person.uid} person={person} onChange={() => setChanging(person)} />
          ))}
        </ul>
      )}
      {hasMore && (
        <Button variant="default" mt={16} loading={isValidating} onClick={() => void setSize(size + 1)}>
          Load more
        </Button>
      )}
      {changing && <AccessDialog person={changing} onClose={() => setChanging(null)} onChanged={() => mutate()} />}
    </>
  );
}

/** For platform staff. Finds users by email address and disables or enables them. */
export default function PeoplePage() {
  useTitle('People');
  const { super_admin: isStaff, checkedForSuperAdmin: isChecked } = useUser();
  return (
    <>
      <header className={styles.header}>
        <h1>People</h1>
        <p className="label">
          All users who have signed in. Only platform staff can open this page. Access is recorded in the audit log.
        </p>
      </header>
      {isStaff && <People />}
      {!isStaff && !isChecked && SKELETON}
      {!isStaff && isChecked && <LockedReason>Only platform staff can see other people</LockedReason>}
    </>
  );
}
