import { Button, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { paths } from '~/domain/navigation/paths';
import { useOrganizationId } from '~/session/organization-context';
import { ACTION_KINDS, isFiltered } from './audit-filter';
import type { AuditQuestion } from './audit-filter';
import styles from './Audit.module.css';

const actionOptions = (action: string) =>
  ACTION_KINDS.some(({ value }) => value === action) ? ACTION_KINDS : [...ACTION_KINDS, { value: action, label: action }];

/** Filters are stored in the URL. The text field applies on Enter and on blur. */
export function AuditFilters({ question }: { question: AuditQuestion }) {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const [actor, setActor] = useState(question.actor);
  const apply = (change: Partial<AuditQuestion>) => {
    const next = { ...question, actor, ...change };
    const query = Object.fromEntries(Object.entries(next).filter(([, value]) => value !== ''));
    void navigate(paths.settings(organizationId, { tab: 'audit', ...query }), { replace: true });
  };
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
        onBlur={() => actor !== question.actor && apply({})}
      />
      <Select
        label="What"
        data={actionOptions(question.action)}
        value={question.action}
        onChange={(action) => apply({ action: action ?? '' })}
      />
      <TextInput
        label="From"
        type="date"
        value={question.from}
        max={question.to || undefined}
        onChange={(event) => apply({ from: event.currentTarget.value })}
      />
      <TextInput
        label="To"
        type="date"
        value={question.to}
        min={question.from || undefined}
        onChange={(event) => apply({ to: event.currentTarget.value })}
      />
      {/* Enter submits a form with several fields only if it has a submit button. */}
      <button type="submit" hidden />
      {isFiltered(question) && (
        <Button
          variant="subtle"
          className={styles.clear}
          onClick={() => {
            setActor('');
            apply({ actor: '', action: '', from: '', to: '' });
          }}
        >
          Clear
        </Button>
      )}
    </form>
  );
}
