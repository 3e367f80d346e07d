import useSWR from 'swr';
import { client, unwrap } from '~/api/http/client';
import { keys } from '~/api/http/keys';
import type { DemoTour } from '~/api/types';

/** While a run is active, its progress moves. Visitors have no live stream, because it requires a sign-in. */
const ACTIVE_MS = 1_000;
const IDLE_MS = 5_000;

export const useDemoTour = () =>
  useSWR(keys.demo(), () => unwrap(client.GET('/api/v1/demo')), {
    refreshInterval: (tour?: DemoTour) => (tour?.connection.activeRun ? ACTIVE_MS : IDLE_MS),
    shouldRetryOnError: false,
  });

export type DemoFault = 'expire_token' | 'throttle' | 'restate' | 'drop_rows';

export const causeDemoFault = (name: DemoFault) => unwrap(client.POST('/api/v1/demo/faults', { body: { name } }));

export const repairDemo = () => unwrap(client.POST('/api/v1/demo/repair'));
