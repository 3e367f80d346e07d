import { expect } from '@playwright/test';
import { instance } from './instance.ts';

interface Mail {
  id: string;
  subject: string;
  text: string;
}

/** What the mail catcher holds for somebody, newest first. */
export async function mailsTo(email: string): Promise<Mail[]> {
  const response = await fetch(`${instance().mailUrl}/api/messages?to=${encodeURIComponent(email)}`);
  const body = (await response.json()) as Mail[] | { messages: Mail[] };
  const found = Array.isArray(body) ? body : body.messages;
  return Promise.all(
    found.map(async ({ id }) => (await (await fetch(`${instance().mailUrl}/api/messages/${id}`)).json()) as Mail),
  );
}

/** The way to the invitation that was mailed: path and query of its link. Waits for the worker to deliver it. */
export async function mailedInvitation(email: string, isWanted: (path: string) => boolean = () => true): Promise<string> {
  let path = '';
  await expect
    .poll(
      async () => {
        const links = (await mailsTo(email)).flatMap(({ text }) => text.match(/https?:\/\/\S*acceptInvitation\S+/g) ?? []);
        const paths = links.map((link) => new URL(link).pathname + new URL(link).search);
        path = paths.find(isWanted) ?? '';
        return path;
      },
      { timeout: 20_000, message: `a mail with an invitation for ${email}` },
    )
    .not.toBe('');
  return path;
}
