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

const DEFAULT_PORTS: Ports = {
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

const replacedText = (wanted: number, name: PortName, port: number) => `Port ${wanted} is in use. ${name} uses port ${port}`;

export interface ChosenPorts {
  ports: Ports;
  /** Messages about replaced ports. */
  replaced: string[];
}

/**
 * Uses the ports of the last start if possible, because the product stores addresses of the database and the sandbox.
 * @param wantedProduct the requested port of the product; 0: free ports for all, to run several instances
 */
export async function choosePorts(file: string, wantedProduct?: number): Promise<ChosenPorts> {
  const stored = readJsonFile<Partial<Ports>>(file) ?? {};
  const isAnyPort = wantedProduct === 0;
  const ports: Partial<Ports> = {};
  const reserved = new Set<number>();
  const replaced: string[] = [];
  for (const name of PORT_NAMES) {
    const wanted = (name === 'product' && wantedProduct) || stored[name] || (isAnyPort ? 0 : DEFAULT_PORTS[name]);
    const port = await choosePort(wanted, reserved);
    if (wanted !== 0 && port !== wanted) replaced.push(replacedText(wanted, name, port));
    reserved.add(port);
    ports[name] = port;
  }
  // A requested port is used once. It does not replace the stored product port.
  const product = stored.product ?? (isAnyPort ? ports.product : DEFAULT_PORTS.product);
  writeJsonFile(file, { ...ports, product });
  return { ports: ports as Ports, replaced };
}

/** Chooses and stores another port for one that a program took after it was chosen. Returns a message about it. */
export async function replacePort(file: string, ports: Ports, name: PortName): Promise<string> {
  const taken = ports[name];
  ports[name] = await choosePort(0, new Set(Object.values(ports)));
  writeJsonFile(file, { ...readJsonFile<Partial<Ports>>(file), [name]: ports[name] });
  return replacedText(taken, name, ports[name]);
}
