import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { writeJsonFile } from '../json-file.ts';
import type { ProcessPlan } from '../processes/supervised-process.ts';
import { inRepository, nodeProgram } from '../repository.ts';
import { addresses, FIREBASE_PROJECT_ID, type Plan } from './plan.ts';

interface FirebaseSettings {
  emulators: Record<string, { port?: number } | boolean>;
}

const EXPORT_EVERY_MS = 60_000;

export function planAuthEmulator(plan: Plan): ProcessPlan {
  const { data } = plan;
  writeSettings(plan);
  const isExported = existsSync(path.join(data.auth, 'firebase-export-metadata.json'));
  const users = [...(isExported ? [`--import=${data.auth}`] : []), `--export-on-exit=${data.auth}`];
  const emulator = ['emulators:start', '--only', 'auth', '--project', FIREBASE_PROJECT_ID, '--config', data.firebaseFile];
  return {
    name: 'auth-emulator',
    command: nodeProgram(),
    parameters: [inRepository('node_modules', 'firebase-tools', 'lib', 'bin', 'firebase.js'), ...emulator, ...users],
    workingFolder: data.logs, // it writes firebase-debug.log into its working folder
    environment: { XDG_CONFIG_HOME: path.join(data.root, 'firebase-config'), NO_UPDATE_NOTIFIER: '1', CI: '1' },
    logFile: data.logFile('auth-emulator'),
  };
}

function writeSettings({ data, ports }: Plan): void {
  const settings = JSON.parse(readFileSync(inRepository('firebase.json'), 'utf8')) as FirebaseSettings;
  const withPort = (name: string, port: number) => ({ [name]: { ...(settings.emulators[name] as object), port } });
  writeJsonFile(data.firebaseFile, {
    emulators: {
      ...settings.emulators,
      ...withPort('auth', ports.auth),
      ...withPort('hub', ports.authHub),
      ...withPort('logging', ports.authLogging),
    },
  });
}

/** Saves users every minute, because --export-on-exit does not run after a crash or power failure. Returns a stop function. */
export function saveUsersRegularly(plan: Plan): () => void {
  const timer = setInterval(() => {
    const body = JSON.stringify({ path: plan.data.auth, initiatedBy: 'tributary' });
    const headers = { 'content-type': 'application/json' };
    fetch(`${addresses(plan).authHub}/_admin/export`, { method: 'POST', headers, body }).catch(() => {
      // The emulator is restarting. The next interval saves.
    });
  }, EXPORT_EVERY_MS);
  return () => clearInterval(timer);
}
