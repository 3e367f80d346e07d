import { randomUUID } from 'node:crypto';
import type { Agent } from 'node:https';
import { Inject, Injectable, type OnApplicationShutdown, Optional } from '@nestjs/common';
import { type App, cert, type Credential, deleteApp, initializeApp } from 'firebase-admin/app';
import { type Auth, getAuth } from 'firebase-admin/auth';
import { ENV, type Env } from '../core/config/env.js';

/** Injection token of the agent for requests to Google; only tests provide one. */
export const FIREBASE_AGENT = Symbol('FIREBASE_AGENT');

/** The Firebase client of this process. The only place that initializes the SDK. */
@Injectable()
export class Firebase implements OnApplicationShutdown {
  readonly auth: Auth;
  /** Whether accounts can be looked up. This needs a service account or the emulator. */
  readonly canLookUp: boolean;
  private readonly app: App;

  constructor(@Inject(ENV) env: Env, @Optional() @Inject(FIREBASE_AGENT) httpAgent?: Agent) {
    this.canLookUp = Boolean(env.FIREBASE_AUTH_EMULATOR_HOST ?? env.FIREBASE_SERVICE_ACCOUNT);
    const options = { projectId: env.FIREBASE_PROJECT_ID, credential: credentialOf(env), httpAgent };
    this.app = initializeApp(options, randomUUID());
    this.auth = withEmulator(env.FIREBASE_AUTH_EMULATOR_HOST, () => getAuth(this.app));
  }

  onApplicationShutdown(): Promise<void> {
    return deleteApp(this.app);
  }
}

/** Without an explicit credential the SDK would search the machine for credentials. */
function credentialOf({ FIREBASE_SERVICE_ACCOUNT: key }: Env): Credential {
  if (!key) return { getAccessToken: () => Promise.reject(new Error('FIREBASE_SERVICE_ACCOUNT is not set')) };
  return cert({ projectId: key.project_id, clientEmail: key.client_email, privateKey: key.private_key });
}

/**
 * The SDK reads the emulator's address only from the environment, and reads it while the client is created (auth-api-request.js,
 * 14.5.1). Only the setting counts: a stray variable must not make it accept unsigned tokens.
 */
function withEmulator<Result>(host: string | undefined, create: () => Result): Result {
  const before = process.env['FIREBASE_AUTH_EMULATOR_HOST'];
  setVariable(host);
  try {
    return create();
  } finally {
    setVariable(before);
  }
}

function setVariable(value: string | undefined): void {
  if (value === undefined) delete process.env['FIREBASE_AUTH_EMULATOR_HOST'];
  else process.env['FIREBASE_AUTH_EMULATOR_HOST'] = value;
}
