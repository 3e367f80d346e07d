import { Kbd, Modal } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconCornerDownLeft, IconSearch } from '@tabler/icons-react';
import { useEffect, useId, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useOrganizationId } from '~/session/organization-context';
import { LockedReason } from '~/ui/feedback/LockedReason';
import { icon } from '~/ui/icon';
import type { Command } from './command';
import { findItems, withRecents } from './find-items';
import type { PaletteGroup } from './find-items';
import { Highlighted } from './Highlighted';
import styles from './Palette.module.css';
import { readRecentIds, saveRecentId } from './recent-items';
import { useFoundConnections } from './use-found-connections';
import { useActionCommands } from './use-action-commands';
import { useObjectCommands } from './use-object-commands';
import { usePageCommands } from './use-page-commands';
import { useRunCommands } from './use-run-commands';

const LABEL = 'Search or jump to';

interface OptionProps {
  command: Command;
  id: string;
  query: string;
  isSelected: boolean;
  onSelect: () => void;
  onOpen: () => void;
}

const Option = ({ command, id, query, isSelected, onSelect, onOpen }: OptionProps) => (
  <div
    id={id}
    role="option"
    aria-selected={isSelected}
    aria-disabled={command.disabledReason ? true : undefined}
    className={styles.option}
    onMouseMove={onSelect}
    // The focus stays in the search field.
    onMouseDown={(event) => event.preventDefault()}
    onClick={onOpen}
  >
    <span className={styles.mark}>{command.mark}</span>
    <span className={styles.label}>
      <Highlighted text={command.label} query={query} />
    </span>
    {command.hint && <span className={styles.hint}>{command.hint}</span>}
    <span className={styles.aside}>
      {command.disabledReason ? <LockedReason>{command.disabledReason}</LockedReason> : command.aside}
    </span>
  </div>
);

interface ResultsProps {
  isLoading: boolean;
  groups: PaletteGroup<Command>[];
  listId: string;
  query: string;
  selectedId: string | undefined;
  onSelect: (id: string) => void;
  onOpen: (command: Command) => void;
}

const Results = ({ groups, isLoading, listId, query, selectedId, onSelect, onOpen }: ResultsProps) => (
  <div
    id={listId}
    // A listbox without options is not valid.
    role={groups.length === 0 ? 'status' : 'listbox'}
    aria-label={groups.length === 0 ? undefined : 'Results'}
    className={styles.list}
  >
    {groups.map(({ group, items }) => (
      <div key={group} role="group" aria-label={group}>
        <div className={styles.group} aria-hidden>
          {group}
        </div>
        {items.map((command) => (
          <Option
            key={command.id}
            command={command}
            id={`${listId}-${command.id}`}
            query={query}
            isSelected={command.id === selectedId}
            onSelect={() => onSelect(command.id)}
            onOpen={() => onOpen(command)}
          />
        ))}
      </div>
    ))}
    {groups.length === 0 && <p className={styles.none}>{isLoading ? 'Searching…' : `No results for “${query}”`}</p>}
  </div>
);

const KeyboardHelp = () => (
  <div className={styles.footer} aria-hidden>
    <Kbd>
      <IconArrowUp size={11} />
    </Kbd>
    <Kbd>
      <IconArrowDown size={11} />
    </Kbd>
    Move
    <Kbd>
      <IconCornerDownLeft size={11} />
    </Kbd>
    Open
  </div>
);

/** Marks the first result until another one is selected, and keeps the selected one in view. */
function useSelection(groups: PaletteGroup<Command>[], listId: string) {
  const [requestedId, select] = useState<string | null>(null);
  const commands = groups.flatMap(({ items }) => items);
  const requestedIndex = commands.findIndex(({ id }) => id === requestedId);
  const index = Math.max(0, requestedIndex);
  const selected = commands[index];
  const optionId = selected && `${listId}-${selected.id}`;
  useEffect(() => {
    if (optionId) document.getElementById(optionId)?.scrollIntoView({ block: 'nearest' });
  }, [optionId]);
  const move = (step: number) => select(commands[(index + step + commands.length) % commands.length]?.id ?? null);
  return { selected, select, move };
}

interface SearchProps {
  listId: string;
  query: string;
  selected: Command | undefined;
  onChange: (query: string) => void;
  onMove: (step: number) => void;
  onOpen: (command: Command) => void;
  onClose: () => void;
}

function Search({ listId, query, selected, onChange, onMove, onOpen, onClose }: SearchProps) {
  const press = (event: React.KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') onMove(1);
    else if (event.key === 'ArrowUp') onMove(-1);
    else if (event.key === 'Enter' && selected) onOpen(selected);
    else return;
    event.preventDefault();
  };
  return (
    <div className={styles.search}>
      <IconSearch {...icon} />
      <input
        data-autofocus
        className={styles.input}
        role="combobox"
        aria-label={LABEL}
        aria-expanded={selected !== undefined}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={selected && `${listId}-${selected.id}`}
        placeholder={LABEL}
        autoComplete="off"
        spellCheck={false}
        value={query}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={press}
      />
      <button type="button" className={styles.close} aria-label="Esc, close" onClick={onClose}>
        Esc
      </button>
    </div>
  );
}

/** Everything that the palette can find for the query. */
function useCommands(query: string, onShortcuts: () => void): { commands: Command[]; isLoading: boolean } {
  const { connections, isLoading } = useFoundConnections(query);
  const runs = useRunCommands(query, connections);
  const objects = useObjectCommands(connections);
  const actions = useActionCommands(connections, onShortcuts);
  return {
    commands: [...objects, ...actions, ...runs.commands, ...usePageCommands()],
    isLoading: isLoading || runs.isLoading,
  };
}

interface PaletteProps {
  onClose: () => void;
  onShortcuts: () => void;
}

/** The command palette: every object, action and page. It is mounted while it is open. */
export default function Palette({ onClose, onShortcuts }: PaletteProps) {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const listId = useId();
  const [opener] = useState(() => document.activeElement);
  const [query, setQuery] = useState('');
  const [recentIds] = useState(() => readRecentIds(organizationId));
  const { commands, isLoading } = useCommands(query, onShortcuts);
  const found = findItems(commands, query);
  const groups = query.trim() === '' ? withRecents(found, commands, recentIds) : found;
  const { selected, select, move } = useSelection(groups, listId);
  const close = () => {
    onClose();
    if (opener instanceof HTMLElement) opener.focus();
  };
  const open = ({ id, to, act, disabledReason }: Command) => {
    if (disabledReason) return;
    saveRecentId(organizationId, id);
    close();
    if (to !== undefined) void navigate(to);
    act?.();
  };
  const search = (text: string) => {
    setQuery(text);
    select(null);
  };
  return (
    <Modal.Root opened onClose={close} size={640} radius="lg" yOffset="12dvh" returnFocus={false}>
      <Modal.Overlay color="var(--t-scrim)" backgroundOpacity={1} />
      <Modal.Content aria-label={LABEL}>
        <div className={styles.content}>
          <Search
            listId={listId}
            query={query}
            selected={selected}
            onChange={search}
            onMove={move}
            onOpen={open}
            onClose={close}
          />
          <Results
            groups={groups}
            isLoading={isLoading}
            listId={listId}
            query={query}
            selectedId={selected?.id}
            onSelect={select}
            onOpen={open}
          />
          <KeyboardHelp />
        </div>
      </Modal.Content>
    </Modal.Root>
  );
}
