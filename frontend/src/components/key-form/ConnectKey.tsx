import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useSWRConfig } from 'swr';
import { createApp } from '~/api/apps';
import { keysOf } from '~/api/http/keys';
import type { Connector } from '~/api/types';
import { toast } from '~/components/feedback/toast';
import { type FlowState, writeFlowState } from '~/domain/navigation/flow-state';
import { paths } from '~/domain/navigation/paths';
import { useOrganizationId } from '~/session/organization-context';
import { GatedButton } from '~/ui/inputs/GatedButton';
import { FormDialog } from '~/ui/layout/FormDialog';
import { KeyForm } from './KeyForm';

interface ConnectKeyProps {
  connector: Connector;
  /** Where the flow started, for the page after the choice of accounts. */
  from: FlowState['storedFrom'];
  variant?: 'filled' | 'default';
  disabledReason: string | null;
}

/** A provider without sign-in: a key is entered and checked. The next step is the choice of accounts. */
export function ConnectKey({ connector, from, variant = 'default', disabledReason }: ConnectKeyProps) {
  const organizationId = useOrganizationId();
  const navigate = useNavigate();
  const { mutate } = useSWRConfig();
  const [isOpen, setOpen] = useState(false);
  const { provider, name } = connector;
  const connect = async (credentials: Record<string, unknown>) => {
    const app = await createApp(organizationId, { provider, credentials });
    await mutate(keysOf(organizationId, 'apps'));
    if (from !== null) writeFlowState({ storedFrom: from, storedType: provider });
    toast.done(`${app.displayName} connected`);
    await navigate(paths.landing(organizationId, provider, { app: app.id }));
  };
  return (
    <>
      <GatedButton align="end" variant={variant} disabledReason={disabledReason} onClick={() => setOpen(true)}>
        Connect {name}
      </GatedButton>
      <FormDialog opened={isOpen} onClose={() => setOpen(false)} title={`Connect ${name}`}>
        <KeyForm connector={connector} submitLabel="Check and connect" disabledReason={null} onSubmit={connect} />
      </FormDialog>
    </>
  );
}
