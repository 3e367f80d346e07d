import { useCatalog } from '~/api/catalog';
import type { SignInProvider } from '~/api/authorize-app';
import { SignInButton } from '~/components/sign-in/SignInButton';
import { ConnectKey } from '~/components/key-form/ConnectKey';
import type { Connector } from '~/api/types';
import { hasAccountsToChoose } from '~/domain/accounts/providers';
import type { FlowState } from '~/domain/navigation/flow-state';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { Gated, GatedButton } from '~/ui/inputs/GatedButton';
import type { PickLine } from './PickList';

type Role = Connector['roles'][number];

interface ConnectActionProps {
  connector: Connector;
  from: FlowState['storedFrom'];
  returnTo: string;
  /** Path of the credentials form, or null if the provider uses a sign-in. */
  formPath: string | null;
}

function ConnectAction({ connector, from, returnTo, formPath }: ConnectActionProps) {
  const organizationId = useOrganizationId();
  const disabledReason = usePermissionGate('apps.write');
  if (formPath !== null)
    return (
      <GatedButton align="end" variant="default" disabledReason={disabledReason} to={formPath}>
        Set up {connector.name}
      </GatedButton>
    );
  if (connector.credentials[0]?.authMode === 'api_key')
    return <ConnectKey connector={connector} from={from} disabledReason={disabledReason} />;
  const authorization = { provider: connector.provider as SignInProvider, returnTo };
  return (
    <Gated disabledReason={disabledReason} align="end">
      <SignInButton
        organizationId={organizationId}
        from={from}
        variant="default"
        disabled={disabledReason !== null}
        authorization={authorization}
      >
        Connect {connector.name}
      </SignInButton>
    </Gated>
  );
}

interface CatalogLines {
  role: Role;
  from: FlowState['storedFrom'];
  returnTo: string;
  formPath: (provider: string) => string | null;
}

/** Connectors of this instance for a role, each with its connect action. */
export function useCatalogLines({ role, from, returnTo, formPath }: CatalogLines) {
  const { data, error, mutate } = useCatalog();
  const lines = data?.connectors
    // A custom app has no sign-in. It is created on the page of new apps, and then listed with a button of its own.
    .filter(({ roles, provider }) => roles.includes(role) && (role !== 'source' || hasAccountsToChoose(provider)))
    .filter(({ credentials }) => credentials.length > 0)
    .map((connector): PickLine => ({
      id: connector.provider,
      provider: connector.provider,
      name: connector.name,
      detail: connector.description,
      action: <ConnectAction connector={connector} from={from} returnTo={returnTo} formPath={formPath(connector.provider)} />,
    }));
  return { lines, error: error as unknown, retry: mutate };
}
