import { expect } from '@playwright/test';
import { instance } from './instance.ts';

interface OobCode {
  email: string;
  requestType: string;
  oobLink: string;
}

async function sentLinks(email: string): Promise<string[]> {
  const { authEmulatorUrl, firebaseProjectId } = instance();
  const answer = await fetch(`${authEmulatorUrl}/emulator/v1/projects/${firebaseProjectId}/oobCodes`);
  const { oobCodes } = (await answer.json()) as { oobCodes: OobCode[] };
  return oobCodes.filter((code) => code.email === email && code.requestType === 'VERIFY_EMAIL').map(({ oobLink }) => oobLink);
}

/** Verification mails that the identity emulator would have sent to an address. */
export const countVerificationMails = async (email: string): Promise<number> => (await sentLinks(email)).length;

/** Follows the link of the newest verification mail, outside the browser of the test. */
export async function openVerificationMail(email: string): Promise<void> {
  await expect.poll(() => countVerificationMails(email), { message: `a verification mail to ${email}` }).toBeGreaterThan(0);
  const link = (await sentLinks(email)).at(-1) ?? '';
  const answer = await fetch(link, { redirect: 'manual' });
  if (answer.status >= 400) throw new Error(`The link answered ${answer.status}: ${await answer.text()}`);
}
