import { startTestInstance } from '../../../tools/start/test-instance.ts';

/** One instance for all tests; each test has organizations and people of its own in it. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const { instance, stop } = await startTestInstance();
  process.env.E2E_INSTANCE = JSON.stringify(instance);
  return stop;
}
