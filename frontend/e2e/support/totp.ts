import { createHmac, randomBytes } from 'node:crypto';
import type { BrowserContext, Route } from '@playwright/test';

/**
 * TOTP for the identity emulator, which supports text messages only. Requests of `mfaEnrollment` and `mfaSignIn` are answered
 * here, and enrolled factors are added to the responses of the first step and the account look-up. Everything else is the
 * emulator's own response. Shapes and error codes are those of Identity Toolkit v2
 * (https://cloud.google.com/identity-platform/docs/reference/rest/v2/accounts.mfaEnrollment).
 */
export class Totp {
  private secret: Buffer | null = null;
  private enrolledAt: string | null = null;
  /** Whether TOTP is enabled for the project. */
  isOn = true;
  /** Whether the first step of a sign-in has expired. */
  hasExpired = false;
  private firstStep: Record<string, unknown> = {};
  /** Valid until the end of the test: a slow machine can send a code after its 30 s. */
  private readonly shown = new Set<string>();

  static async on(context: BrowserContext): Promise<Totp> {
    const totp = new Totp();
    await totp.attach(context);
    return totp;
  }

  /** Call it again for another browser of the same user. */
  async attach(context: BrowserContext): Promise<void> {
    await context.route(/accounts\/mfaEnrollment:start/, (route) => this.start(route));
    await context.route(/accounts\/mfaEnrollment:finalize/, (route) => this.finishEnrollment(route));
    await context.route(/accounts\/mfaEnrollment:withdraw/, (route) => this.withdraw(route));
    await context.route(/accounts\/mfaSignIn:finalize/, (route) => this.finishSignIn(route));
    await context.route(/accounts:signInWithPassword/, (route) => this.requireCode(route));
    await context.route(/accounts:lookup/, (route) => this.addFactors(route));
  }

  /** Shows the current code, as the authenticator app does. */
  code(): string {
    const code = this.compute();
    this.shown.add(code);
    return code;
  }

  wrongCode(): string {
    return String((Number(this.compute()) + 1) % 1_000_000).padStart(6, '0');
  }

  /** RFC 6238: SHA-1, 30 s, 6 digits. */
  private compute(): string {
    const counter = Buffer.alloc(8);
    counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
    const hash = createHmac('sha1', this.secret ?? Buffer.alloc(20))
      .update(counter)
      .digest();
    const offset = (hash.at(-1) ?? 0) & 15;
    return String((hash.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
  }

  private async start(route: Route): Promise<void> {
    if (!this.isOn) return reject(route, 'OPERATION_NOT_ALLOWED : TOTP based MFA not enabled.');
    this.secret = randomBytes(20);
    const totpSessionInfo = {
      sharedSecretKey: base32(this.secret),
      verificationCodeLength: 6,
      hashingAlgorithm: 'SHA1',
      periodSec: 30,
      sessionInfo: 'session-of-the-test',
      finalizeEnrollmentTime: new Date(Date.now() + 600_000).toISOString(),
    };
    await route.fulfill({ json: { totpSessionInfo } });
  }

  private async finishEnrollment(route: Route): Promise<void> {
    const { idToken, totpVerificationInfo } = bodyOf(route) as Finalize;
    if (!this.shown.has(totpVerificationInfo.verificationCode)) return reject(route, 'INVALID_CODE');
    this.enrolledAt = new Date().toISOString();
    await route.fulfill({ json: { idToken: withSecondFactor(idToken), refreshToken: 'refresh', totpAuthInfo: {} } });
  }

  private async withdraw(route: Route): Promise<void> {
    this.enrolledAt = null;
    const { idToken } = bodyOf(route) as Finalize;
    await route.fulfill({ json: { idToken, refreshToken: 'refresh' } });
  }

  private async finishSignIn(route: Route): Promise<void> {
    if (this.hasExpired) return reject(route, 'INVALID_MFA_PENDING_CREDENTIAL');
    const { totpVerificationInfo } = bodyOf(route) as Finalize;
    if (!this.shown.has(totpVerificationInfo.verificationCode)) return reject(route, 'INVALID_CODE');
    const { idToken, refreshToken } = this.firstStep as { idToken: string; refreshToken: string };
    await route.fulfill({ json: { idToken: withSecondFactor(idToken), refreshToken } });
  }

  private async requireCode(route: Route): Promise<void> {
    if (this.enrolledAt === null || route.request().method() !== 'POST') return route.fallback();
    const response = await route.fetch();
    if (!response.ok()) return route.fulfill({ response });
    this.firstStep = (await response.json()) as Record<string, unknown>;
    const { idToken: _, refreshToken: __, ...rest } = this.firstStep;
    await route.fulfill({ json: { ...rest, mfaPendingCredential: 'pending-of-the-test', mfaInfo: this.factors() } });
  }

  private async addFactors(route: Route): Promise<void> {
    if (this.enrolledAt === null || route.request().method() !== 'POST') return route.fallback();
    const response = await route.fetch();
    const answer = (await response.json()) as { users?: object[] };
    await route.fulfill({ json: { ...answer, users: answer.users?.map((user) => ({ ...user, mfaInfo: this.factors() })) } });
  }

  private readonly factors = () => [
    { mfaEnrollmentId: 'factor-of-the-test', displayName: 'Tributary', enrolledAt: this.enrolledAt, totpInfo: {} },
  ];
}

interface Finalize {
  idToken: string;
  totpVerificationInfo: { verificationCode: string };
}

const bodyOf = (route: Route): unknown => route.request().postDataJSON();

const reject = (route: Route, message: string): Promise<void> =>
  route.fulfill({
    status: 400,
    json: { error: { code: 400, message, errors: [{ message, reason: 'invalid', domain: 'global' }] } },
  });

/** The emulator's tokens are not signed. */
function withSecondFactor(idToken: string): string {
  const [header = '', payload = ''] = idToken.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { firebase: object };
  const firebase = { ...claims.firebase, sign_in_second_factor: 'totp', second_factor_identifier: 'factor-of-the-test' };
  return `${header}.${Buffer.from(JSON.stringify({ ...claims, firebase })).toString('base64url')}.`;
}

function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  return (bits.match(/.{5}/g) ?? []).map((group) => letters[parseInt(group, 2)]).join('');
}
