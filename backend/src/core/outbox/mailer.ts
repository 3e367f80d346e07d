import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Transporter } from 'nodemailer';
import type { Logger } from 'pino';
import { ENV, type Env } from '../config/env.js';
import { LOGGER } from '../observability/logger.js';
import { type Mail, renderMail } from './mail.js';
import { Outbox, ReceiverUnavailable, Undeliverable } from './outbox.js';

const SERVER_TIMEOUT_MS = 20_000;

/** Delivers the outbox's mails over SMTP. Without a mail server a warning is logged, and they stay queued for at most seven days. */
@Injectable()
export class Mailer implements OnModuleInit, OnApplicationShutdown {
  private transport: Transporter | undefined;

  constructor(
    @Inject(ENV) private readonly env: Env,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly outbox: Outbox,
  ) {}

  async onModuleInit(): Promise<void> {
    if (this.env.SMTP_URL) this.transport = await connect(this.env.SMTP_URL);
    if (this.transport) this.outbox.register('mail', ({ id, content }) => this.send(id, content as Mail));
    else this.logger.warn('SMTP_URL is not set. Mails are queued until it is set, for at most seven days');
  }

  onApplicationShutdown(): void {
    this.transport?.close();
  }

  private async send(id: string, mail: Mail): Promise<void> {
    try {
      await this.transport?.sendMail({
        from: this.env.MAIL_FROM,
        to: { name: '', address: mail.to },
        subject: mail.subject,
        ...renderMail(mail),
        // The same id for every delivery attempt, so that mail programs show the mail once.
        messageId: `<${id}@${new URL(this.env.PUBLIC_URL).hostname}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    } catch (error) {
      throw error instanceof Error ? toDeliveryError(error) : error;
    }
  }
}

/** Error codes that concern one mail only. All other codes affect every mail. */
const SINGLE_MAIL_ERRORS = new Set(['EENVELOPE', 'EMESSAGE', 'ESTREAM']);

/** Only a change of the settings helps: the password is wrong, the server offers no encryption, or its name does not resolve. */
const SETTINGS_ERRORS = new Set(['EAUTH', 'ETLS', 'EDNS']);

function toDeliveryError(error: Error & { code?: string; responseCode?: number; command?: string }): Error {
  const { message, code = '', responseCode = 0, command } = error;
  // Rejected for every mail: the sender is wrong, or the server requires a password or encryption (530).
  if ((command === 'MAIL FROM' && responseCode >= 500) || responseCode === 530)
    return new ReceiverUnavailable(message, true, { cause: error });
  if (code !== '' && !SINGLE_MAIL_ERRORS.has(code))
    return new ReceiverUnavailable(message, SETTINGS_ERRORS.has(code), { cause: error });
  // A 5xx response is a permanent rejection of this mail. Other errors may be temporary.
  return responseCode >= 500 ? new Undeliverable(message, { cause: error }) : error;
}

async function connect(url: string): Promise<Transporter> {
  // Loaded only with a mail server, to save memory.
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    // A password is not sent in clear text; `?requireTLS=false` in the URL allows it, for a private network.
    requireTLS: new URL(url).username !== '',
    connectionTimeout: SERVER_TIMEOUT_MS,
    greetingTimeout: SERVER_TIMEOUT_MS,
    socketTimeout: SERVER_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
