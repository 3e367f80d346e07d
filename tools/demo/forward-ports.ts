/**
 * Forwards ports to servers of this machine that listen on 127.0.0.1 only: FORWARD_PORTS lists pairs of outer and inner ports. Compose
 * publishes the outer ports, also only to 127.0.0.1, and cannot reach 127.0.0.1 of a container.
 */
import { connect, createServer } from 'node:net';

const { FORWARD_HOST, FORWARD_PORTS } = process.env;
if (!FORWARD_HOST || !FORWARD_PORTS) throw new Error('Set FORWARD_HOST and FORWARD_PORTS');

const servers = FORWARD_PORTS.split(' ').map((pair) => {
  const [outer, inner] = pair.split(':').map(Number) as [number, number];
  const server = createServer((visitor) => {
    const target = connect(inner, '127.0.0.1');
    visitor.pipe(target).pipe(visitor);
    // The server is not ready yet, or one side has gone: both end.
    visitor.on('error', () => target.destroy()).on('close', () => target.destroy());
    target.on('error', () => visitor.destroy()).on('close', () => visitor.destroy());
  });
  return server.listen(outer, FORWARD_HOST);
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    for (const server of servers) server.close();
    process.exit(0);
  });
}
