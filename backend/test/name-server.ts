import { createSocket } from 'node:dgram';
import dns from 'node:dns/promises';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { isIPv4, isIPv6 } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import ipaddr from 'ipaddr.js';
import { systemFiles } from '../src/connectors/kit/system-names.js';

export interface NameServer {
  /**
   * Addresses of each name, by answer: each one is returned once, the last one from then on. 'silence' never answers, and 'failure'
   * is an error of the name server.
   */
  zone: Map<string, string[][] | 'silence' | 'failure'>;
  /** Names of the zone that were asked for, once for each lookup. */
  asked: string[];
  /** Replaces the content of /etc/hosts, and of /etc/resolv.conf without its name servers. */
  setSystemNames(hosts: string, resolver?: string): Promise<void>;
  stop(): void;
}

const HEADER_BYTES = 12;
const A = 1;
const AAAA = 28;
const NO_SUCH_NAME = 3;
const SERVER_FAILURE = 2;
const original = { Resolver: dns.Resolver };
const originalFiles = { ...systemFiles };

/** Answers DNS queries of this process over UDP. Other names do not exist. */
export async function startNameServer(): Promise<NameServer> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tributary-names-'));
  const server = `127.0.0.1:${socket.address().port}`;
  const zone: NameServer['zone'] = new Map();
  const asked: string[] = [];
  const addressesOf = (name: string, type: number): string[] | 'silence' | 'failure' | undefined => {
    const answers = zone.get(name);
    if (answers === undefined || typeof answers === 'string') return answers;
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
    setSystemNames: async (hosts, resolver = '') => {
      systemFiles.hosts = path.join(folder, 'hosts');
      systemFiles.resolver = path.join(folder, 'resolv.conf');
      await Promise.all([writeFile(systemFiles.hosts, hosts), writeFile(systemFiles.resolver, resolver)]);
    },
    stop: () => {
      replace(original);
      Object.assign(systemFiles, originalFiles);
      rmSync(folder, { recursive: true });
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

function answerTo(question: Buffer, type: number, found: string[] | 'failure' | undefined): Buffer {
  const addresses = Array.isArray(found) ? found : [];
  const code = Array.isArray(found) ? 0 : found === 'failure' ? SERVER_FAILURE : NO_SUCH_NAME;
  const header = Buffer.from(question.subarray(0, HEADER_BYTES));
  // A response, with recursion desired and available.
  header.writeUInt16BE(0x81_80 + code, 2);
  header.writeUInt16BE(addresses.length, 6);
  header.writeUInt32BE(0, 8);
  const records = addresses.map((address) => {
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
