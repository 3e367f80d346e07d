import { useSWRConfig } from 'swr';
import { enterAppKey } from '~/api/apps';
import { useCatalog } from '~/api/catalog';
import { keysOf } from '~/api/http/keys';
import type { App } from '~/api/types';
import { toast } from '~/components/feedback/toast';
import { KeyForm } from '~/components/key-form/KeyForm';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { Section } from '~/ui/layout/Page';

/** Replaces the key of an app with another one of the same account. Runs that failed continue. */
export function KeyApp({ app }: { app: App }) {
  const organizationId = useOrganizationId();
  const disabledReason = usePermissionGate('apps.write', 'enter a key');
  const { mutate } = useSWRConfig();
  const { data } = useCatalog();
  const connector = data?.connectors.find(({ provider }) => provider === app.provider);
  if (!connector) return null;
  const enter = async (credentials: Record<string, unknown>) => {
    await enterAppKey(organizationId, app.id, { credentials });
    await mutate(keysOf(organizationId, 'app', 'apps', 'appHistory'));
    toast.done('Key saved. Missed days are loaded');
  };
  return (
    <Section title="Key" aside="Of the same account">
      <KeyForm connector={connector} submitLabel="Save key" disabledReason={disabledReason} onSubmit={enter} />
    </Section>
  );
}
