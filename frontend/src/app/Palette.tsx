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

function ConnectionAction({ connection, query, onOpen }: { connection: Connection; query: string; onOpen: () => void }) {
  const { source, destination, name, health } = connection;
  return (
    <Spotlight.Action onClick={onOpen} className={styles.action}>
      <ProviderMark provider={source.provider} />
      <span className={styles.label}>
        <Highlighted text={name} query={query} />
      </span>
      <span className={styles.hint}>
        <RouteText from={providerName(source.provider)} to={providerName(destination.provider)} />
      </span>
      <HealthStatus health={health} />
    </Spotlight.Action>
  );
}

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
  const go = (to: string) => () => void navigate(to);
  const run = (connection: Connection) => () =>
    void runConnection(organizationId, connection.id)
      .then(() => toast.done(`${connection.name} is running`))
      .catch(toast.failed);
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
        {found.length > 0 && (
          <Spotlight.ActionsGroup label="Connections">
            {found.map((connection) => (
              <ConnectionAction
                key={connection.id}
                connection={connection}
                query={query}
                onOpen={go(paths.connection(organizationId, connection.id))}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {(canCreate || runnable.length > 0) && (
          <Spotlight.ActionsGroup label="Actions">
            {runnable.map((connection) => (
              <Spotlight.Action key={connection.id} onClick={run(connection)} className={styles.action}>
                <IconPlayerPlay {...icon} />
                <span className={styles.label}>Run {connection.name} now</span>
              </Spotlight.Action>
            ))}
            {canCreate && (
              <Spotlight.Action onClick={go(paths.createConnection(organizationId))} className={styles.action}>
                <IconPlus {...icon} />
                <span className={styles.label}>Create connection</span>
                <Kbd>C</Kbd>
              </Spotlight.Action>
            )}
          </Spotlight.ActionsGroup>
        )}
        {pages.length > 0 && (
          <Spotlight.ActionsGroup label="Go to">
            {pages.map((entry) => (
              <Spotlight.Action key={entry.label} onClick={go(entry.to(organizationId))} className={styles.action}>
                <entry.icon {...icon} />
                <span className={styles.label}>{entry.label}</span>
                <span className={styles.keys}>
                  <Kbd>G</Kbd>
                  <Kbd>{entry.shortcut}</Kbd>
                </span>
              </Spotlight.Action>
            ))}
          </Spotlight.ActionsGroup>
        )}
        {found.length + pages.length === 0 && !canCreate && <Spotlight.Empty>No results for “{query}”</Spotlight.Empty>}
      </Spotlight.ActionsList>
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
    </Spotlight.Root>
  );
}
