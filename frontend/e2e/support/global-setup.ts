import { startTestInstance } from '../../../tools/start/test-instance.ts';

/** Starts one instance for all tests. Each test creates its own users and organizations. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const { instance, stop } = await startTestInstance();
  process.env.E2E_INSTANCE = JSON.stringify(instance);
  return stop;
}
