import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Address } from 'postal-mime';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import type { Mailbox } from './mailbox.ts';

const sizeLimitBytes = 10 * 1024 * 1024;

/** Accepts any mail, with or without a password, and delivers it only to the mailbox. */
export async function startSmtp(mailbox: Mailbox, port: number): Promise<{ port: number; close: () => Promise<void> }> {
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    size: sizeLimitBytes,
    onAuth: (auth, _session, done) => done(null, { user: auth.username ?? 'anyone' }),
    onData: (stream, session, done) => {
      receive(mailbox, stream, session).then(
        () => done(),
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
      );
    },
  });
  // Without a listener, a client that disconnects would crash this process.
  server.on('error', () => undefined);
  const listener = server.listen(port, '127.0.0.1');
  if (!listener.listening) await once(listener, 'listening');
  return { port: (listener.address() as AddressInfo).port, close: () => new Promise((resolve) => server.close(resolve)) };
}

async function receive(mailbox: Mailbox, stream: AsyncIterable<Buffer>, session: SMTPServerSession): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  const mail = await PostalMime.parse(Buffer.concat(chunks));
  const { mailFrom, rcptTo } = session.envelope;
  mailbox.add({
    from: mail.from ? nameOf(mail.from) : mailFrom ? mailFrom.address : '',
    // The envelope contains the actual recipients, including blind copies.
    to: rcptTo.map((recipient) => recipient.address),
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html: mail.html ?? '',
  });
}

function nameOf(address: Address): string {
  return address.name ? `${address.name} <${address.address ?? ''}>` : (address.address ?? '');
}
