import { Kbd } from '@mantine/core';
import { Spotlight, spotlight } from '@mantine/spotlight';
import '@mantine/spotlight/styles.css';
import { IconArrowDown, IconArrowUp, IconCornerDownLeft, IconPlayerPlay, IconPlus, IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { runConnection, useConnections } from '~/api/connections/connections';
import type { Connection } from '~/api/types';
import { connectionCan } from '~/domain/connections/connection-state';
import { paths } from '~/domain/navigation/paths';
import { useOrganizationId, usePlan } from '~/session/organization-context';
import { icon } from '~/ui/icon';
import { providerName, ProviderMark, RouteText } from '~/components/status/ProviderMark';
import { HealthStatus } from '~/components/status/Status';
import { toast } from '~/components/feedback/toast';
import { entriesFor } from './layout/navigation';
import type { NavigationEntry } from './layout/navigation';
import styles from './Palette.module.css';

const MAX_CONNECTIONS = 6;

const contains = (text: string, query: string) => text.toLowerCase().includes(query.trim().toLowerCase());

function Highlighted({ text, query }: { text: string; query: string }) {
  const at = query.trim() === '' ? -1 : text.toLowerCase().indexOf(query.trim().toLowerCase());
  if (at < 0) return <>{text}</>;
  const end = at + query.trim().length;
  return (
    <>
      {text.slice(0, at)}
      <strong>{text.slice(at, end)}</strong>
      {text.slice(end)}
    </>
  );
}

interface ResultsProps {
  query: string;
  onOpen: (path: string) => void;
}

function ConnectionResults({ connections, query, onOpen }: ResultsProps & { connections: Connection[] }) {
  const organizationId = useOrganizationId();
  if (connections.length === 0) return null;
  return (
    <Spotlight.ActionsGroup label="Connections">
      {connections.map(({ id, source, destination, name, health }) => (
        <Spotlight.Action key={id} onClick={() => onOpen(paths.connection(organizationId, id))} className={styles.action}>
          <ProviderMark provider={source.provider} />
          <span className={styles.label}>
            <Highlighted text={name} query={query} />
          </span>
          <span className={styles.hint}>
            <RouteText from={providerName(source.provider)} to={providerName(destination.provider)} />
          </span>
          <HealthStatus health={health} />
        </Spotlight.Action>
      ))}
    </Spotlight.ActionsGroup>
  );
}

interface ActionResultsProps extends Pick<ResultsProps, 'onOpen'> {
  runnable: Connection[];
  canCreate: boolean;
}

function ActionResults({ runnable, canCreate, onOpen }: ActionResultsProps) {
  const organizationId = useOrganizationId();
  if (!canCreate && runnable.length === 0) return null;
  const run = ({ id, name }: Connection) =>
    runConnection(organizationId, id).then(() => toast.done(`${name} is running`), toast.failed);
  return (
    <Spotlight.ActionsGroup label="Actions">
      {runnable.map((connection) => (
        <Spotlight.Action key={connection.id} onClick={() => void run(connection)} className={styles.action}>
          <IconPlayerPlay {...icon} />
          <span className={styles.label}>Run {connection.name} now</span>
        </Spotlight.Action>
      ))}
      {canCreate && (
        <Spotlight.Action onClick={() => onOpen(paths.createConnection(organizationId))} className={styles.action}>
          <IconPlus {...icon} />
          <span className={styles.label}>Create connection</span>
          <Kbd>C</Kbd>
        </Spotlight.Action>
      )}
    </Spotlight.ActionsGroup>
  );
}

function PageResults({ pages, onOpen }: Pick<ResultsProps, 'onOpen'> & { pages: NavigationEntry[] }) {
  const organizationId = useOrganizationId();
  if (pages.length === 0) return null;
  return (
    <Spotlight.ActionsGroup label="Go to">
      {pages.map((entry) => (
        <Spotlight.Action key={entry.label} onClick={() => onOpen(entry.to(organizationId))} className={styles.action}>
          <entry.icon {...icon} />
          <span className={styles.label}>{entry.label}</span>
          <span className={styles.keys}>
            <Kbd>G</Kbd>
            <Kbd>{entry.shortcut}</Kbd>
          </span>
        </Spotlight.Action>
      ))}
    </Spotlight.ActionsGroup>
  );
}

const KeyboardHelp = () => (
  <Spotlight.Footer className={styles.footer}>
    <Kbd>
      <IconArrowUp size={11} aria-label="Up" />
    </Kbd>
    <Kbd>
      <IconArrowDown size={11} aria-label="Down" />
    </Kbd>
    Move
    <Kbd>
      <IconCornerDownLeft size={11} aria-label="Enter" />
    </Kbd>
    Open
  </Spotlight.Footer>
);

/** The command palette: connections by name, actions and pages. */
export default function Palette({ requests }: { requests: number }) {
  const organizationId = useOrganizationId();
  const plan = usePlan();
  const navigate = useNavigate();
  const [query, setQuery] = useState('');
  const { data } = useConnections(organizationId);
  useEffect(() => spotlight.open(), [requests]);
  const found = (data?.items ?? []).filter(({ name }) => contains(name, query)).slice(0, MAX_CONNECTIONS);
  const runnable = query.trim() === '' ? [] : found.filter((connection) => connectionCan.run(connection)).slice(0, 3);
  const pages = entriesFor(plan)
    .flat()
    .filter(({ label }) => contains(label, query));
  const canCreate = contains('Create connection', query);
  const open = (path: string) => void navigate(path);
  return (
    <Spotlight.Root
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      maxHeight={480}
      scrollable
      aria-label="Search or jump to"
      transitionProps={{ duration: 120 }}
      overlayProps={{ blur: 0, backgroundOpacity: 1, color: 'var(--t-scrim)' }}
      size={640}
    >
      <Spotlight.Search
        placeholder="Search or jump to"
        aria-label="Search or jump to"
        leftSection={<IconSearch {...icon} />}
        rightSection={<span className="label">Esc</span>}
      />
      <Spotlight.ActionsList>
        <ConnectionResults connections={found} query={query} onOpen={open} />
        <ActionResults runnable={runnable} canCreate={canCreate} onOpen={open} />
        <PageResults pages={pages} onOpen={open} />
        {found.length + pages.length === 0 && !canCreate && <Spotlight.Empty>No results for “{query}”</Spotlight.Empty>}
      </Spotlight.ActionsList>
      <KeyboardHelp />
    </Spotlight.Root>
  );
}
