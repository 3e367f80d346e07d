import type { ButtonProps } from '@mantine/core';
import type { SignInProvider } from '~/api/authorize-app';
import { SignInButton } from '~/components/sign-in/SignInButton';
import type { App } from '~/api/types';
import { paths } from '~/domain/navigation/paths';
import { signInName } from '~/domain/accounts/providers';
import { useOrganizationId } from '~/session/organization-context';
import { appCan } from './app-state';

interface ReconnectButtonProps extends Pick<ButtonProps, 'variant' | 'size' | 'disabled'> {
  align?: 'start' | 'end';
  app: App;
  label?: string;
}

/** Starts the sign-in for an app and returns to its page. */
export function ReconnectButton({ app, label, ...look }: ReconnectButtonProps) {
  const organizationId = useOrganizationId();
  const verb = appCan.begin(app) ? 'Connect' : 'Reconnect';
  return (
    <SignInButton
      {...look}
      organizationId={organizationId}
      from="app"
      authorization={{ provider: app.provider as SignInProvider, appId: app.id, returnTo: paths.app(organizationId, app.id) }}
    >
      {label ?? `${verb} with ${signInName(app.provider)}`}
    </SignInButton>
  );
}
