import { z } from 'zod';
import { withoutBrackets } from '../kit/egress.js';

const identifier = /^(?!pg_)[A-Za-z_][A-Za-z0-9_$]{0,62}$/;

/** What the form asks for; nothing here is secret. */
export const settingsSchema = z.strictObject({
  host: z
    .string()
    .trim()
    .min(1)
    .max(253)
    // Brackets: an address of IPv6 as addresses of pages have it.
    .regex(/^([A-Za-z0-9_.:-]+|\[[0-9A-Fa-f:.]+\])$/, 'a host name or address, without a protocol')
    .meta({
      bindsCredentials: true,
      title: 'Host',
      description: 'Name or address of the server, without a protocol.',
      examples: ['db.example.com'],
    }),
  port: z
    .number()
    .int()
    .min(1)
    .max(65_535)
    .default(5432)
    .meta({ bindsCredentials: true, title: 'Port', description: 'PostgreSQL listens on 5432 by default.' }),
  database: z
    .string()
    .min(1)
    .max(63)
    .meta({ bindsCredentials: true, title: 'Database', description: 'An existing database; encoding UTF8.' }),
  schema: z
    .string()
    .regex(identifier, 'letters, digits and underscores, at most 63, not beginning with pg_')
    .default('public')
    .meta({ title: 'Schema', description: 'Where the tables go. Made if it does not exist and the user may.' }),
  user: z.string().min(1).max(63).meta({
    bindsCredentials: true,
    title: 'User',
    description: 'A role of its own, with the right to create tables in the schema.',
  }),
  sslMode: z
    .enum(['automatic', 'verify-full', 'require', 'prefer', 'disable'])
    .default('automatic')
    .meta({
      bindsCredentials: true,
      title: 'Encryption',
      description: 'Automatic encrypts always, and verifies the certificate from then on where it is valid today.',
      enumTitles: {
        automatic: 'Automatic',
        'verify-full': 'Always, with a certificate for this host',
        require: 'Always, without checking the certificate',
        prefer: 'If the server offers it',
        disable: 'None',
      },
    }),
  tablePrefix: z
    .string()
    .regex(/^([a-z][a-z0-9_]{0,19})?$/, 'small letters, digits and underscores, at most 20')
    .default('')
    .meta({ title: 'Table prefix', description: 'Stands before every table name, e.g. "ads_". May stay empty.' }),
});

/** Host names mean the same in small and capital letters, and with a dot at the end. */
export const comparableHost = (host: string): string => withoutBrackets(host).toLowerCase().replace(/\.$/, '');

export const credentialsSchema = z.strictObject({
  password: z
    .string()
    .max(1_000)
    .meta({ title: 'Password', description: 'Stored encrypted, and never shown again.', format: 'password' }),
});

export type PostgresqlSettings = z.infer<typeof settingsSchema> & z.infer<typeof credentialsSchema>;
