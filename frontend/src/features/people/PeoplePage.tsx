import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { usePeople } from '~/api/people';
import type { PersonEntry } from '~/api/types';
import { useTitle } from '~/lib/use-title';
import { useUser } from '~/session/session-context';
import { TableSkeleton } from '~/ui/feedback/Skeleton';
import { LoadedContent } from '~/components/feedback/LoadedContent';
import { LoadMoreButton } from '~/components/list/LoadMoreButton';
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
  const response = usePeople(email);
  const { data: pages, error, mutate } = response;
  const people = pages?.flatMap(({ items }) => items) ?? [];
  return (
    <>
      <SearchField onSearch={setEmail} />
      <LoadedContent
        data={pages}
        error={error}
        reload={mutate}
        errorTitle="Couldn’t load people"
        skeleton={SKELETON}
        isEmpty={() => people.length === 0}
        empty={<p className="quiet">No results for “{email}”</p>}
      >
        {() => (
          <ul className={styles.list} aria-label="People">
            {people.map((person) => (
              <PersonRow key={person.uid} person={person} onChange={() => setChanging(person)} />
            ))}
          </ul>
        )}
      </LoadedContent>
      <LoadMoreButton pages={response} hasMore={Boolean(pages?.at(-1)?.nextCursor)} />
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
