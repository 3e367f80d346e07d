/** Exits with 0 if the address responds with less than 400: node tools/demo/probe.ts <url>. Health checks of Compose use it. */
const [, , url = ''] = process.argv;
const isReady = await fetch(url).then(
  ({ ok }) => ok,
  () => false,
);
process.exit(isReady ? 0 : 1);
