import { expect } from '@playwright/test';
import { instance } from './instance.ts';

interface OobCode {
  email: string;
  requestType: string;
  oobLink: string;
}

async function sentLinks(email: string, requestType: 'VERIFY_EMAIL' | 'PASSWORD_RESET' = 'VERIFY_EMAIL'): Promise<string[]> {
  const { authEmulatorUrl, firebaseProjectId } = instance();
  const answer = await fetch(`${authEmulatorUrl}/emulator/v1/projects/${firebaseProjectId}/oobCodes`);
  const { oobCodes } = (await answer.json()) as { oobCodes: OobCode[] };
  return oobCodes.filter((code) => code.email === email && code.requestType === requestType).map(({ oobLink }) => oobLink);
}

/** The number of verification emails to an address in the identity emulator. */
export const countVerificationMails = async (email: string): Promise<number> => (await sentLinks(email)).length;

/** Opens the link of the newest verification email with a separate request. */
export async function openVerificationMail(email: string): Promise<void> {
  await expect.poll(() => countVerificationMails(email), { message: `a verification mail to ${email}` }).toBeGreaterThan(0);
  const link = (await sentLinks(email)).at(-1) ?? '';
  const answer = await fetch(link, { redirect: 'manual' });
  if (answer.status >= 400) throw new Error(`The link returned status ${answer.status}: ${await answer.text()}`);
}

/** The address to which the newest password-reset email leads after the new password is set; null before the email is sent. */
export async function continueUrlOfReset(email: string): Promise<string | null> {
  const link = (await sentLinks(email, 'PASSWORD_RESET')).at(-1);
  return link === undefined ? null : new URL(link).searchParams.get('continueUrl');
}
