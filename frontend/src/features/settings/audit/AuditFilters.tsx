import { Button, Select, TextInput } from '@mantine/core';
import { useNavigate } from 'react-router-dom';
import { paths } from '~/domain/navigation/paths';
import { useUrlText } from '~/lib/use-url-text';
import { useOrganizationId } from '~/session/organization-context';
import { ACTION_KINDS, isFiltered } from './audit-filter';
import type { AuditFilterValues } from './audit-filter';
import styles from './Audit.module.css';

const actionOptions = (action: string) =>
  ACTION_KINDS.some(({ value }) => value === action) ? ACTION_KINDS : [...ACTION_KINDS, { value: action, label: action }];

/** Stores the filters in the URL. The text of the actor is stored when it is applied. */
function useFilters(filterValues: AuditFilterValues) {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const { text: actor, setText: setActor } = useUrlText(filterValues.actor);
  const apply = (change: Partial<AuditFilterValues>) => {
    const next = { ...filterValues, actor, ...change };
    const query = Object.fromEntries(Object.entries(next).filter(([, value]) => value !== ''));
    void navigate(paths.settings(organizationId, { tab: 'audit', ...query }), { replace: true });
  };
  const clear = () => {
    setActor('');
    apply({ actor: '', action: '', from: '', to: '' });
  };
  return { actor, setActor, apply, clear };
}

/** The text field applies on Enter and on blur. */
export function AuditFilters({ filterValues }: { filterValues: AuditFilterValues }) {
  const { actor, setActor, apply, clear } = useFilters(filterValues);
  return (
    <form
      className={styles.filters}
      onSubmit={(event) => {
        event.preventDefault();
        apply({});
      }}
    >
      <TextInput
        label="Who"
        placeholder="Part of an email address"
        value={actor}
        maxLength={320}
        onChange={(event) => setActor(event.currentTarget.value)}
        onBlur={() => actor !== filterValues.actor && apply({})}
      />
      <Select
        label="What"
        data={actionOptions(filterValues.action)}
        value={filterValues.action}
        onChange={(action) => apply({ action: action ?? '' })}
      />
      <TextInput
        label="From"
        type="date"
        value={filterValues.from}
        max={filterValues.to || undefined}
        onChange={(event) => apply({ from: event.currentTarget.value })}
      />
      <TextInput
        label="To"
        type="date"
        value={filterValues.to}
        min={filterValues.from || undefined}
        onChange={(event) => apply({ to: event.currentTarget.value })}
      />
      {/* Enter submits a form with several fields only if it has a submit button. */}
      <button type="submit" hidden />
      {isFiltered(filterValues) && (
        <Button variant="subtle" className={styles.clear} onClick={clear}>
          Clear
        </Button>
      )}
    </form>
  );
}
