import { escapeHtml } from '../router.ts';
import type { Mailbox } from './mailbox.ts';

interface OutOfBandCode {
  email: string;
  oobCode: string;
  oobLink: string;
  requestType: string;
}

const subjects: Record<string, [string, string]> = {
  PASSWORD_RESET: ['Reset your password', 'Follow this link to choose a new password:'],
  VERIFY_EMAIL: ['Verify your e-mail address', 'Follow this link to verify your address:'],
  EMAIL_SIGNIN: ['Sign in', 'Follow this link to sign in:'],
};

const timeoutMs = 2_000;

/** The Firebase Auth emulator sends no mails but lists them. Each is shown as a mail once. */
export class AuthEmulator {
  readonly #address: string;
  readonly #seen = new Set<string>();
  readonly #mailbox: Mailbox;

  constructor(mailbox: Mailbox, url: string, projectId: string) {
    this.#mailbox = mailbox;
    this.#address = `${url.replace(/\/$/, '')}/emulator/v1/projects/${encodeURIComponent(projectId)}/oobCodes`;
  }

  /** A missing emulator has no mails and is not an error of the mailbox. */
  async collect(): Promise<void> {
    const codes = await this.#fetchCodes().catch(() => []);
    for (const code of codes) {
      if (this.#seen.has(code.oobCode)) continue;
      this.#seen.add(code.oobCode);
      this.#mailbox.add(asMail(code));
    }
  }

  async #fetchCodes(): Promise<OutOfBandCode[]> {
    const answer = await fetch(this.#address, {
      headers: { authorization: 'Bearer owner' },
      signal: AbortSignal.timeout(timeoutMs),
    });
    const body = (await answer.json()) as { oobCodes?: OutOfBandCode[] };
    return body.oobCodes ?? [];
  }
}

function asMail({ email, oobLink, requestType }: OutOfBandCode): Parameters<Mailbox['add']>[0] {
  const [subject, words] = subjects[requestType] ?? [requestType, 'Follow this link:'];
  const link = escapeHtml(oobLink);
  return {
    from: 'Sign-in emulator <no-reply@example.com>',
    to: [email],
    subject,
    text: `${words}\n\n${oobLink}\n`,
    html: `<p>${escapeHtml(words)}</p><p><a href="${link}">${link}</a></p>`,
  };
}
