import { IconCheck, IconX } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { useConnections } from '../../api/connections';
import { useCatalog } from '../../api/apps';
import type { App } from '../../api/types';
import { formatMoment } from '../../lib/dates';
import { plural } from '../../lib/numbers';
import { paths } from '../../lib/paths';
import { useNow } from '../../lib/use-now';
import { useOrganizationId } from '../../session/organization-context';
import { formatAccountId } from '../../ui/AccountPicker';
import { Facts } from '../../ui/Facts';
import { icon } from '../../ui/icon';
import { Section } from '../../ui/Page';
import { providerName, RouteMarks } from '../../ui/ProviderMark';
import { RelativeTime } from '../../ui/RelativeTime';
import { HealthStatus } from '../../ui/Status';
import table from '../../ui/Table.module.css';
import styles from './AppDetails.module.css';
import { appCan } from './app-state';

/** The connections that read by this app; while it is dead, what waits. */
export function AppUses({ app }: { app: App }) {
  const organizationId = useOrganizationId();
  const { data } = useConnections(organizationId, { limit: 100 });
  const uses = (data?.items ?? []).filter(({ source }) => source.appId === app.id);
  const isDead = appCan.mustReconnect(app);
  if (app.roles.every((role) => role !== 'source')) return null;
  return (
    <Section title={isDead ? 'What waits' : 'Used by'} aside={plural(uses.length, 'connection')}>
      {uses.length === 0 && <p className="quiet">No connection uses it yet.</p>}
      {uses.length > 0 && (
        <ul className={styles.list}>
          {uses.map((connection) => (
            <li key={connection.id}>
              <RouteMarks from={connection.source.provider} to={connection.destination.provider} />
              <Link to={paths.connection(organizationId, connection.id)} className={styles.name}>
                {connection.name}
              </Link>
              <span className={styles.reason}>{connection.healthReason}</span>
              <HealthStatus health={connection.health} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

export const WhatHappens = ({ app }: { app: App }) => (
  <Section title="What happens when you reconnect">
    <ol className={styles.steps}>
      <li>
        <span className="strong">Sign in with {providerName(app.provider)}</span>
        <span className="label">On its own page. About a minute.</span>
      </li>
      <li>
        <span className="strong">Same user check</span>
        <span className="label">
          Signing in as somebody else{app.externalUser && ` than ${app.externalUser}`} changes nothing, and is said.
        </span>
      </li>
      <li>
        <span className="strong">Catching up</span>
        <span className="label">The missed days load by themselves.</span>
      </li>
    </ol>
  </Section>
);

export function AppAccounts({ app }: { app: App }) {
  if (app.accounts.length === 0) return null;
  return (
    <Section
      title="Ad accounts"
      aside={
        app.accountsListedAt && (
          <>
            Listed <RelativeTime at={app.accountsListedAt} />
          </>
        )
      }
    >
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">Account</th>
            <th scope="col">Currency</th>
            <th scope="col" className={styles.wide}>
              Time zone
            </th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {app.accounts.map((account) => (
            <tr key={account.externalId}>
              <td>
                {account.name} <code className="quiet">{formatAccountId(account.externalId)}</code>
              </td>
              <td>{account.currency}</td>
              <td className={`quiet ${styles.wide}`}>{account.timeZone}</td>
              <td className="quiet">
                {account.status === 'enabled' ? 'Open' : account.status === 'closed' ? 'Closed' : 'Switched off'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

function Scopes({ app }: { app: App }) {
  const { data } = useCatalog();
  const reasons =
    data?.connectors.find(({ provider }) => provider === app.provider)?.credentials.flatMap(({ scopes }) => scopes) ?? [];
  const scopes = [
    ...app.grantedScopes.map((scope) => ({ scope, isGranted: true })),
    ...app.missingScopes.map((scope) => ({ scope, isGranted: false })),
  ];
  if (scopes.length === 0) return null;
  return (
    <Section title="Scopes">
      <ul className={styles.scopes}>
        {scopes.map(({ scope, isGranted }) => (
          <li key={scope}>
            {isGranted ? <IconCheck {...icon} color="var(--t-good)" /> : <IconX {...icon} color="var(--t-danger)" />}
            <span>
              <code>{scope}</code>
              <span className="visually-hidden">{isGranted ? ' granted' : ' missing'}</span>
              <span className={styles.why}>{reasons.find((reason) => reason.scope === scope)?.reason}</span>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

export function AppFacts({ app }: { app: App }) {
  const now = useNow();
  const { sources, destinations, connections } = app.usedBy;
  const used = [
    sources > 0 && plural(sources, 'source'),
    destinations > 0 && plural(destinations, 'destination'),
    connections > 0 && plural(connections, 'connection'),
  ].filter(Boolean);
  return (
    <>
      <Facts
        facts={[
          { label: 'Signed in as', value: app.externalUser ?? app.credentialHint ?? '—' },
          { label: 'Roles', value: app.roles.map((role) => (role === 'source' ? 'Source' : 'Destination')).join(', ') },
          ...(app.accounts.length > 0
            ? [
                {
                  label: 'Ad accounts',
                  value: `${app.accounts.length}, ${[...new Set(app.accounts.map(({ currency }) => currency))].join(', ')}`,
                },
              ]
            : []),
          { label: 'Used by', value: used.join(', ') || 'Nothing yet' },
          { label: 'Connected', value: formatMoment(app.createdAt, now) },
          { label: 'Last check', value: <RelativeTime at={app.lastProbeAt} isFocusable /> },
        ]}
      />
      <Scopes app={app} />
    </>
  );
}
