import { IconCircleCheck, IconCircleDashed, IconCircleX } from '@tabler/icons-react';
import { CheckList, passedCount, PendingCheckList } from '~/components/settings-form/CheckList';
import { icon } from '~/ui/icon';
import type { CheckItem } from '~/api/types';
import { checkStepsOf, requiredRolesOf, roleState } from './check-steps';
import styles from './DestinationForm.module.css';
import type { CheckState } from './use-destination-form';

const marks = {
  given: { word: 'Granted', mark: <IconCircleCheck {...icon} color="var(--t-good)" /> },
  missing: { word: 'Missing', mark: <IconCircleX {...icon} color="var(--t-danger)" /> },
  unknown: { word: 'Not checked yet', mark: <IconCircleDashed {...icon} color="var(--t-ink-3)" /> },
};

/** The roles that the account needs at the platform, each with its state. */
function Roles({ provider, items }: { provider: string; items: CheckItem[] }) {
  const roles = requiredRolesOf(provider);
  if (roles.length === 0) return null;
  return (
    <>
      <h3 className={styles.rolesHead}>Required roles</h3>
      <ul className={styles.roles} aria-label="Required roles">
        {roles.map((role) => {
          const { word, mark } = marks[roleState(role, items)];
          return (
            <li key={role.name}>
              {mark}
              <span>
                {role.name} <span className="label">{role.on}</span>
                <span className="visually-hidden">: {word}</span>
              </span>
            </li>
          );
        })}
      </ul>
    </>
  );
}

interface ChecksProps {
  provider: string;
  state: CheckState;
  /** The codes of failed steps whose cause is shown at a field. It is not repeated here. */
  shownAtFields: string[];
}

export function Checks({ provider, state, shownAtFields }: ChecksProps) {
  const { running, items } = state;
  const isRunning = running !== null;
  const listed = items?.map((item) => (shownAtFields.includes(item.code) ? { ...item, detail: null } : item));
  return (
    <section className={styles.checks} aria-label="Checks">
      <div className={styles.checksHead}>
        <h2>Checks</h2>
        {items && !isRunning && <span className="label">{passedCount(items)}</span>}
      </div>
      {isRunning && <PendingCheckList labels={checkStepsOf(provider)} />}
      {!isRunning && listed && <CheckList items={listed} />}
      {!isRunning && !items && <p className="label">Each step is tested on the server before the destination is saved.</p>}
      <Roles provider={provider} items={isRunning ? [] : (items ?? [])} />
    </section>
  );
}
