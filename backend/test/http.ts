import { UnsecuredJWT } from 'jose';
import type { AnswerValidator } from './answer-validator.js';
import { FIREBASE_PROJECT_ID } from './settings.js';

export interface TestUser {
  uid: string;
  email: string;
  isEmailVerified?: boolean;
  /** Address of the photo at the sign-in provider. */
  picture?: string;
  /** Whether the sign-in used a code of an authenticator app. */
  hasSecondFactor?: boolean;
}

export interface Answer<Body = Record<string, unknown>> {
  status: number;
  body: Body;
  headers: Headers;
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** A token like the ones of the identity emulator. */
export function tokenFor(
  user: TestUser,
  options: { expiresAt?: Date; audience?: string; without?: 'exp' | 'iat' | 'sub' | 'auth_time' } = {},
): string {
  const { audience = FIREBASE_PROJECT_ID, expiresAt = new Date(Date.now() + 3_600_000), without } = options;
  const nowSeconds = Math.floor(Date.now() / 1_000);
  return new UnsecuredJWT({
    iss: `https://securetoken.google.com/${audience}`,
    aud: audience,
    sub: user.uid,
    email: user.email,
    email_verified: user.isEmailVerified ?? true,
    ...(user.picture !== undefined && { picture: user.picture }),
    firebase: { sign_in_provider: 'password', ...(user.hasSecondFactor && { sign_in_second_factor: 'totp' }) },
    auth_time: nowSeconds,
    iat: nowSeconds,
    exp: Math.floor(expiresAt.getTime() / 1_000),
    ...(without && { [without]: undefined }),
  }).encode();
}

/** Calls the product like its clients. Every response is validated against the OpenAPI document. */
export class Http {
  constructor(
    private readonly url: string,
    private readonly validator: AnswerValidator,
  ) {}

  as(user: TestUser): Caller {
    return new Caller((method, path, body) => this.send(method, path, body, { authorization: `Bearer ${tokenFor(user)}` }));
  }

  withHeaders(headers: Record<string, string>): Caller {
    return new Caller((method, path, body) => this.send(method, path, body, headers));
  }

  private async send(method: Method, path: string, body: unknown, headers: Record<string, string>): Promise<Answer> {
    const answer = await fetch(this.url + path, {
      method,
      redirect: 'manual',
      // On one machine, compression only costs time. `compress-responses.spec.ts` tests it.
      headers: {
        'accept-encoding': 'identity',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await answer.text();
    const isJson = (answer.headers.get('content-type') ?? '').includes('json');
    const parsed = (isJson ? JSON.parse(text) : { text }) as Record<string, unknown>;
    this.validator.assertDescribed(method, path, answer.status, isJson ? parsed : undefined);
    return { status: answer.status, body: parsed, headers: answer.headers };
  }
}

export class Caller {
  constructor(private readonly send: (method: Method, path: string, body?: unknown) => Promise<Answer>) {}

  get<Body = Record<string, unknown>>(path: string): Promise<Answer<Body>> {
    return this.send('GET', path) as Promise<Answer<Body>>;
  }

  post<Body = Record<string, unknown>>(path: string, body: unknown = {}): Promise<Answer<Body>> {
    return this.send('POST', path, body) as Promise<Answer<Body>>;
  }

  patch<Body = Record<string, unknown>>(path: string, body: unknown): Promise<Answer<Body>> {
    return this.send('PATCH', path, body) as Promise<Answer<Body>>;
  }

  delete<Body = Record<string, unknown>>(path: string): Promise<Answer<Body>> {
    return this.send('DELETE', path) as Promise<Answer<Body>>;
  }
}
