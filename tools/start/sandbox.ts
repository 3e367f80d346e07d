import type { ProcessPlan } from '../processes/supervised-process.ts';
import { nodeProgram, repositoryFolder } from '../repository.ts';
import { addresses, FIREBASE_PROJECT_ID, type Plan } from './plan.ts';

/** @param warehouseUrl the database in which the sandbox can cause faults */
export function planSandbox({ ports, data }: Plan, warehouseUrl: string): ProcessPlan {
  return {
    name: 'sandbox',
    command: nodeProgram(),
    parameters: ['sandbox/src/main.ts'],
    workingFolder: repositoryFolder,
    environment: { SANDBOX_PORT: String(ports.sandbox), SANDBOX_WAREHOUSE_URL: warehouseUrl, SANDBOX_DATA_DIR: data.sandbox },
    logFile: data.logFile('sandbox'),
  };
}

export function planMail(plan: Plan): ProcessPlan {
  return {
    name: 'mail',
    command: nodeProgram(),
    parameters: ['sandbox/src/mail/main.ts'],
    workingFolder: repositoryFolder,
    environment: {
      MAIL_HTTP_PORT: String(plan.ports.mail),
      MAIL_SMTP_PORT: String(plan.ports.smtp),
      MAIL_AUTH_EMULATOR_URL: addresses(plan).auth,
      MAIL_FIREBASE_PROJECT_ID: FIREBASE_PROJECT_ID,
    },
    logFile: plan.data.logFile('mail'),
  };
}
