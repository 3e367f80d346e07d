import { choosePort } from '../ports.ts';
import { readJsonFile, writeJsonFile } from '../json-file.ts';

export const PORT_NAMES = [
  'product',
  'api',
  'metrics',
  'workerMetrics',
  'postgres',
  'auth',
  'authHub',
  'authLogging',
  'sandbox',
  'mail',
  'smtp',
] as const;
export type PortName = (typeof PORT_NAMES)[number];
export type Ports = Record<PortName, number>;

const USUAL: Ports = {
  product: 3000,
  api: 3001,
  metrics: 9464,
  workerMetrics: 9465,
  postgres: 54318,
  auth: 9099,
  authHub: 4400,
  authLogging: 4500,
  sandbox: 3010,
  mail: 3020,
  smtp: 3025,
};

export interface ChosenPorts {
  ports: Ports;
  /** Sentences about ports that had to be replaced. */
  replaced: string[];
}

/**
 * The same ports as last time where possible: addresses of the database and the sandbox are stored in the product.
 * @param wantedProduct asked for by the user; 0 asks for free ports throughout, for instances beside one another
 */
export async function choosePorts(file: string, wantedProduct?: number): Promise<ChosenPorts> {
  const kept = readJsonFile<Partial<Ports>>(file) ?? {};
  const isAnyPort = wantedProduct === 0;
  const ports: Partial<Ports> = {};
  const promised = new Set<number>();
  const replaced: string[] = [];
  for (const name of PORT_NAMES) {
    const wanted = (name === 'product' && wantedProduct) || kept[name] || (isAnyPort ? 0 : USUAL[name]);
    const port = await choosePort(wanted, promised);
    if (wanted !== 0 && port !== wanted) replaced.push(`Port ${wanted} is taken: ${name} uses ${port}`);
    promised.add(port);
    ports[name] = port;
  }
  // What the user asks for once, or what happened to be free today, is not the habit of tomorrow: only new choices are kept.
  const product = kept.product ?? (isAnyPort ? ports.product : USUAL.product);
  writeJsonFile(file, { ...ports, product });
  return { ports: ports as Ports, replaced };
}
