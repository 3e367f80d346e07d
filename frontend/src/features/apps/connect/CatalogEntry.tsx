import type { SignInProvider } from '~/api/authorize-app';
import { SignInButton } from '~/components/sign-in/SignInButton';
import type { Connector } from '~/api/types';
import { plural } from '~/lib/numbers';
import { paths } from '~/domain/navigation/paths';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { Gated, GatedButton } from '~/ui/inputs/GatedButton';
import { LockedReason } from '~/ui/feedback/LockedReason';
import { providerName, ProviderMark } from '~/components/status/ProviderMark';
import type { CatalogLine } from './catalog';
import styles from './ConnectAppPage.module.css';
import { CreateCustomApp } from './CreateCustomApp';

const isSource = ({ roles }: Connector): boolean => roles.includes('source');

function ConnectAction({ connector }: { connector: Connector }) {
  const organizationId = useOrganizationId();
  const disabledReason = usePermissionGate('apps.write');
  if (connector.provider === 'custom') return <CreateCustomApp disabledReason={disabledReason} />;
  if (!isSource(connector))
    return (
      <GatedButton
        align="end"
        variant="default"
        disabledReason={disabledReason}
        to={paths.newDestination(organizationId, { provider: connector.provider })}
      >
        Connect {providerName(connector.provider)}
      </GatedButton>
    );
  const provider = connector.provider as SignInProvider;
  return (
    <Gated disabledReason={disabledReason} align="end">
      <SignInButton
        organizationId={organizationId}
        from="app"
        variant="default"
        align="end"
        disabled={disabledReason !== null}
        authorization={{ provider, returnTo: paths.apps(organizationId) }}
      >
        Connect {providerName(connector.provider)}
      </SignInButton>
    </Gated>
  );
}

function Scopes({ connector }: { connector: Connector }) {
  const scopes = connector.credentials.flatMap((way) => way.scopes);
  if (scopes.length === 0) return null;
  return (
    <>
      <h4>Permissions it asks for</h4>
      <ul className={styles.scopes}>
        {scopes.map(({ scope, reason, isRequired }) => (
          <li key={scope}>
            <code>{scope}</code>
            <span className="label">
              {reason}
              {!isRequired && ' May be left unticked.'}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

const waysIn: Record<Connector['credentials'][number]['authMode'], string> = {
  oauth2: 'Sign-in',
  service_account: 'Service account',
  password: 'User and password',
  push_key: 'Push key',
};

/** What it reads or writes, how it is entered, and with which permissions. */
function Details({ connector }: { connector: Connector }) {
  return (
    <details className={styles.details}>
      <summary>
        {isSource(connector) ? 'What it reads, and with which permissions' : 'What it writes, and how you give access'}
      </summary>
      {isSource(connector) ? (
        <>
          <h4>Reads {plural(connector.streams.length, 'report')}</h4>
          <p className="label">{connector.streams.map(({ title }) => title).join(', ')}. Nothing is changed at the platform.</p>
        </>
      ) : (
        <>
          <h4>Writes</h4>
          <p className="label">The reports you choose for a connection, and what is needed to read them back.</p>
          <h4>Access</h4>
          <p className="label">{connector.credentials.map(({ authMode }) => waysIn[authMode]).join(', or ')}</p>
        </>
      )}
      <Scopes connector={connector} />
    </details>
  );
}

export function CatalogEntry({ line }: { line: CatalogLine }) {
  const { connector } = line;
  return (
    <li className={styles.entry} data-closed={connector === null || undefined}>
      <ProviderMark provider={line.provider} size="lg" />
      <div className={styles.text}>
        <h3>
          {line.name} {line.provider === 'custom' && <span className={styles.badge}>Custom</span>}
          <span className={styles.role}>{line.roles.includes('source') ? 'Source' : 'Destination'}</span>
        </h3>
        {connector ? (
          <>
            <p className="quiet">{connector.description}</p>
            {line.provider !== 'custom' && <Details connector={connector} />}
          </>
        ) : (
          <p className="quiet">
            Whoever runs this installation has not registered it at {line.name} yet. What that takes is in the operator’s guide,
            under “{line.name}”.
          </p>
        )}
      </div>
      {connector ? <ConnectAction connector={connector} /> : <LockedReason>Not set up here</LockedReason>}
    </li>
  );
}
