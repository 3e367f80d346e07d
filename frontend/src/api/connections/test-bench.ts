import useSWR from 'swr';
import { client, unwrap } from '~/api/http/client';
import { keys } from '~/api/http/keys';
import type { ConnectionTest, TestQuestion } from '~/api/types';

export async function testConnection(organizationId: string, id: string, body: TestQuestion): Promise<ConnectionTest> {
  const path = '/api/v1/organizations/{organizationId}/connections/{connectionId}/test-bench';
  return (await unwrap(
    client.POST(path, { params: { path: { organizationId, connectionId: id } }, body }),
  )) as unknown as ConnectionTest;
}

/** Number of steps of a test that have ended, from live events. */
export const useTestSteps = (organizationId: string, testId: string | null) =>
  useSWR<number>(testId === null ? null : keys.testSteps(organizationId, testId), null);
