/** Stops the server that the global setup has started, if any. */
export default async function globalTeardown() {
  await globalThis.stopTestServer?.();
}
