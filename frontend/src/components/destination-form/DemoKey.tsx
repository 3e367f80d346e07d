import { Anchor } from '@mantine/core';
import useSWR from 'swr';
import { loadConfig } from '~/api/http/config';
import { toast } from '~/components/feedback/toast';
import type { FieldValues } from '~/domain/destinations/json-schema';
import { isRecord } from '~/lib/is-record';
import { useAction } from '~/lib/use-action';
import { KEY_FILE_FIELD } from './form-values';

/** Where the sandbox gives away a key of the provider, and the fields of the form that it fills in. */
const demoKeys: Record<string, { path: string; toValues: (key: Record<string, unknown>) => FieldValues }> = {
  bigquery: {
    path: 'bigquery/service-account',
    toValues: (key) => ({ [KEY_FILE_FIELD]: JSON.stringify(key, null, 2), datasetId: 'tributary' }),
  },
  mixpanel: {
    path: 'mixpanel/service-account',
    toValues: (key) => Object.fromEntries(Object.entries(key).map(([name, value]) => [name, String(value)])),
  },
};

/** In a demo: fills in a key of the sandbox, so that no other page has to be opened for it. */
export function DemoKey({ provider, onUse }: { provider: string; onUse: (values: FieldValues) => void }) {
  const { data: config } = useSWR('config', loadConfig, { revalidateOnFocus: false });
  const { run, isBusy } = useAction({ onError: toast.failed });
  const demoKey = demoKeys[provider];
  const sandboxUrl = config?.isDemo ? config.sandboxUrl : null;
  if (!demoKey || !sandboxUrl) return null;
  const use = async () => {
    const key: unknown = await (await fetch(`${sandboxUrl}/admin/${demoKey.path}`)).json();
    if (isRecord(key)) onUse(demoKey.toValues(key));
  };
  return (
    <p className="label">
      This demo has a simulated account.{' '}
      <Anchor component="button" type="button" inherit disabled={isBusy} onClick={() => void run(use)}>
        Use this demo’s key
      </Anchor>
    </p>
  );
}
