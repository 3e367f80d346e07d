import { createSocket } from 'node:dgram';
import dns from 'node:dns/promises';
import { once } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface NameServer {
  /** Addresses of each name, by answer: each one is returned once, the last one from then on. 'silence' never answers. */
  zone: Map<string, string[][] | 'silence'>;
  /** Names of the zone that were asked for, once for each lookup. */
  asked: string[];
  /** Replaces the system's lookup, which reads /etc/hosts and cannot be cancelled. */
  setSystemLookup(lookup: (host: string) => Promise<unknown>): void;
  stop(): void;
}

const HEADER_BYTES = 12;
const A = 1;
const AAAA = 28;
const NO_SUCH_NAME = 3;
const original = { Resolver: dns.Resolver, lookup: dns.lookup };

/** Answers DNS queries of this process over UDP. Other names do not exist. */
export async function startNameServer(): Promise<NameServer> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const server = `127.0.0.1:${socket.address().port}`;
  const zone: NameServer['zone'] = new Map();
  const asked: string[] = [];
  const addressesOf = (name: string, type: number): string[] | 'silence' | undefined => {
    const answers = zone.get(name);
    if (answers === undefined || answers === 'silence') return answers;
    // A lookup asks for both types; the addresses change after the second one.
    if (type === A) asked.push(name);
    const addresses = answers[0] ?? [];
    if (type === AAAA && answers.length > 1) answers.shift();
    return addresses.filter(type === A ? isIPv4 : isIPv6);
  };
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = readQuestion(query);
    const found = addressesOf(name, type);
    if (found !== 'silence') socket.send(answerTo(query.subarray(0, end), type, found), port, address);
  });
  class LocalResolver extends original.Resolver {
    constructor(options?: ConstructorParameters<typeof dns.Resolver>[0]) {
      super(options);
      this.setServers([server]);
    }
  }
  const replace = (parts: object): void => {
    Object.assign(dns, parts);
    syncBuiltinESMExports();
  };
  replace({ Resolver: LocalResolver });
  return {
    zone,
    asked,
    setSystemLookup: (lookup) => replace({ lookup }),
    stop: () => {
      replace(original);
      socket.close();
    },
  };
}

/** The first question of a query, and where it ends. RFC 1035, section 4. */
function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function answerTo(question: Buffer, type: number, addresses: string[] | undefined): Buffer {
  const header = Buffer.from(question.subarray(0, HEADER_BYTES));
  // A response, with recursion desired and available.
  header.writeUInt16BE(0x81_80 + (addresses ? 0 : NO_SUCH_NAME), 2);
  header.writeUInt16BE(addresses?.length ?? 0, 6);
  header.writeUInt32BE(0, 8);
  const records = (addresses ?? []).map((address) => {
    const bytes = Buffer.from(ipaddr.parse(address).toByteArray());
    const record = Buffer.alloc(HEADER_BYTES);
    // The name of the question, the type, the class IN, and no caching.
    record.writeUInt16BE(0xc0_0c, 0);
    record.writeUInt16BE(type, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt16BE(bytes.length, 10);
    return Buffer.concat([record, bytes]);
  });
  return Buffer.concat([header, question.subarray(HEADER_BYTES), ...records]);
}
