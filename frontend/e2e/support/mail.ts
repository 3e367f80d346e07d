import { expect } from '@playwright/test';
import { instance } from './instance.ts';

interface Mail {
  id: string;
  subject: string;
  text: string;
}

/** The emails to an address in the mail catcher, newest first. */
export async function mailsTo(email: string): Promise<Mail[]> {
  const response = await fetch(`${instance().mailUrl}/api/messages?to=${encodeURIComponent(email)}`);
  const body = (await response.json()) as Mail[] | { messages: Mail[] };
  const found = Array.isArray(body) ? body : body.messages;
  return Promise.all(
    found.map(async ({ id }) => (await (await fetch(`${instance().mailUrl}/api/messages/${id}`)).json()) as Mail),
  );
}

/** Waits for the invitation email and returns the path and query of its link. */
export async function waitForInvitation(email: string, matches: (path: string) => boolean = () => true): Promise<string> {
  let path = '';
  await expect
    .poll(
      async () => {
        const links = (await mailsTo(email)).flatMap(({ text }) => text.match(/https?:\/\/\S*acceptInvitation\S+/g) ?? []);
        const paths = links.map((link) => new URL(link).pathname + new URL(link).search);
        path = paths.find(matches) ?? '';
        return path;
      },
      { message: `a mail with an invitation for ${email}` },
    )
    .not.toBe('');
  return path;
}
