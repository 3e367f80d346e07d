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
import { ConnectStripe } from './ConnectStripe';
import { ConnectKey } from '~/components/key-form/ConnectKey';
import { CreateCustomApp } from './CreateCustomApp';

const isSource = ({ roles }: Connector): boolean => roles.includes('source');

function ConnectAction({ connector }: { connector: Connector }) {
  const organizationId = useOrganizationId();
  const disabledReason = usePermissionGate('apps.write');
  if (connector.provider === 'custom') return <CreateCustomApp disabledReason={disabledReason} />;
  if (connector.category === 'payments') return <ConnectStripe disabledReason={disabledReason} />;
  if (isSource(connector) && connector.credentials[0]?.authMode === 'api_key')
    return <ConnectKey connector={connector} from="app" disabledReason={disabledReason} />;
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
  const scopes = connector.credentials.flatMap((credential) => credential.scopes);
  if (scopes.length === 0) return null;
  return (
    <>
      <h4>Requested permissions</h4>
      <ul className={styles.scopes}>
        {scopes.map(({ scope, reason, isRequired }) => (
          <li key={scope}>
            <code>{scope}</code>
            <span className="label">
              {reason}
              {!isRequired && ' Optional.'}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

const authModeLabels: Record<Connector['credentials'][number]['authMode'], string> = {
  oauth2: 'Sign-in',
  service_account: 'Service account',
  password: 'User and password',
  push_key: 'Push key',
  api_key: 'Restricted key',
};

/** Streams it reads or data it writes, authentication methods and permissions. */
function Details({ connector }: { connector: Connector }) {
  return (
    <details className={styles.details}>
      <summary>{isSource(connector) ? 'Data and permissions' : 'Data and access'}</summary>
      {isSource(connector) ? (
        <>
          <h4>Reads {plural(connector.streams.length, 'report')}</h4>
          <p className="label">
            {connector.streams.map(({ title }) => title).join(', ')}. Read-only: Tributary changes nothing on the platform.
          </p>
        </>
      ) : (
        <>
          <h4>Writes</h4>
          <p className="label">The reports you select for a connection, and metadata to verify them.</p>
          <h4>Access</h4>
          <p className="label">{connector.credentials.map(({ authMode }) => authModeLabels[authMode]).join(', or ')}</p>
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
            {line.name} is not configured on this instance. An operator can set it up: see “{line.name}” in the operator’s guide.
          </p>
        )}
      </div>
      {connector ? <ConnectAction connector={connector} /> : <LockedReason>Not configured</LockedReason>}
    </li>
  );
}
