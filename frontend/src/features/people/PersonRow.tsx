import { Button } from '@mantine/core';
import { IconUserOff } from '@tabler/icons-react';
import type { PersonEntry } from '~/api/types';
import { useUser } from '~/session/session-context';
import { PersonMark } from '~/components/organization/OrganizationLogo';
import { RelativeTime } from '~/ui/data/RelativeTime';
import { Status } from '~/components/status/Status';
import { describeDisabled } from './describe-access';
import styles from './PeoplePage.module.css';

function State({ person }: { person: PersonEntry }) {
  if (person.disabledAt === null)
    return <>{person.lastSeenAt === null ? 'Never active' : <>Active <RelativeTime at={person.lastSeenAt} isFocusable /></>}</>; // prettier-ignore
  return (
    <>
      <Status icon={IconUserOff} tone="danger">
        Disabled
      </Status>
      <div>
        {describeDisabled(person)} <RelativeTime at={person.disabledAt} isFocusable />
      </div>
    </>
  );
}

export function PersonRow({ person, onChange }: { person: PersonEntry; onChange: () => void }) {
  const { id } = useUser();
  const isYou = person.uid === id;
  const verb = person.disabledAt === null ? 'Disable' : 'Enable';
  return (
    <li className={styles.row}>
      <PersonMark name={person.fullName} photo={person.photoURL} size={28} />
      <div className={styles.texts}>
        <div className={styles.name}>
          {person.fullName} {isYou && <span className="quiet">(you)</span>}
        </div>
        <div className={styles.second}>
          {person.email}
          {person.role === 'super_admin' && ' · platform staff'}
        </div>
      </div>
      <div className={styles.state}>
        <State person={person} />
        {isYou && <div>You cannot disable your own account</div>}
      </div>
      {!isYou && (
        <Button variant="default" onClick={onChange} aria-label={`${verb} ${person.email}`}>
          {verb}
        </Button>
      )}
    </li>
  );
}
