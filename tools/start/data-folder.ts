import { mkdirSync } from 'node:fs';
import path from 'node:path';

/** Folder with all data of an instance. `make reset` deletes it. */
export interface DataFolder {
  root: string;
  logs: string;
  postgres: string;
  auth: string;
  /** Data of the sandbox that survives a restart. */
  sandbox: string;
  secretsFile: string;
  portsFile: string;
  processesFile: string;
  instanceFile: string;
  firebaseFile: string;
  /** Which connections of the demo are finished. */
  portfolioFile: string;
  logFile(name: string): string;
}

export function openDataFolder(folder: string): DataFolder {
  const root = path.resolve(folder);
  const logs = path.join(root, 'logs');
  mkdirSync(logs, { recursive: true });
  return {
    root,
    logs,
    postgres: path.join(root, 'postgres'),
    auth: path.join(root, 'auth'),
    sandbox: path.join(root, 'sandbox'),
    secretsFile: path.join(root, 'secrets.json'),
    portsFile: path.join(root, 'ports.json'),
    processesFile: path.join(root, 'processes.json'),
    instanceFile: path.join(root, 'instance.json'),
    firebaseFile: path.join(root, 'firebase.json'),
    portfolioFile: path.join(root, 'portfolio.json'),
    logFile: (name) => path.join(logs, `${name}.log`),
  };
}
