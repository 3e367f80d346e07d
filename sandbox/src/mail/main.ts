import { endOnSignals } from '../process.ts';
import { startMail } from './server.ts';

/** Runs the mail catcher until SIGTERM. Prints its address as one line of JSON. */
const { url, smtpUrl, close } = await startMail({
  smtpPort: Number(process.env.MAIL_SMTP_PORT ?? 0),
  httpPort: Number(process.env.MAIL_HTTP_PORT ?? 0),
  authEmulatorUrl: process.env.MAIL_AUTH_EMULATOR_URL || undefined,
  firebaseProjectId: process.env.MAIL_FIREBASE_PROJECT_ID || undefined,
});
console.log(JSON.stringify({ url, smtpUrl }));
endOnSignals(close);
