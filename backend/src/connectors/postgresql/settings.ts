import { z } from 'zod';
import { withoutBrackets } from '../kit/egress.js';

const identifier = /^(?!pg_)[A-Za-z_][A-Za-z0-9_$]{0,62}$/;

/** Fields of the form. None of them is secret. */
export const settingsSchema = z.strictObject({
  host: z
    .string()
    .trim()
    .min(1)
    .max(253)
    // Brackets are for IPv6 addresses copied from a URL.
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
    .meta({ bindsCredentials: true, title: 'Port', description: 'Usually 5432.' }),
  database: z
    .string()
    .min(1)
    .max(63)
    .meta({ bindsCredentials: true, title: 'Database', description: 'An existing database; encoding UTF8.' }),
  schema: z
    .string()
    .regex(identifier, 'letters, digits and underscores, at most 63, not starting with pg_')
    .default('public')
    .meta({ title: 'Schema', description: 'Schema for the tables. Created if missing (requires CREATE on the database).' }),
  user: z.string().min(1).max(63).meta({
    bindsCredentials: true,
    title: 'User',
    description: 'Use a dedicated role that can create tables in this schema.',
  }),
  sslMode: z
    .enum(['automatic', 'verify-full', 'require', 'prefer', 'disable'])
    .default('automatic')
    .meta({
      bindsCredentials: true,
      title: 'Encryption',
      description: 'Automatic always encrypts. It verifies the certificate if it is valid when saved.',
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
    .regex(/^([a-z][a-z0-9_]{0,19})?$/, 'lowercase letters, digits and underscores, at most 20')
    .default('')
    .meta({ title: 'Table prefix', description: 'Optional prefix for table names, such as ads_.' }),
});

/** Host names are compared without case and without a trailing dot. */
export const comparableHost = (host: string): string => withoutBrackets(host).toLowerCase().replace(/\.$/, '');

export const credentialsSchema = z.strictObject({
  password: z
    .string()
    .max(1_000)
    .meta({ title: 'Password', description: 'Stored encrypted and never shown again.', format: 'password' }),
});

export type PostgresqlSettings = z.infer<typeof settingsSchema> & z.infer<typeof credentialsSchema>;
