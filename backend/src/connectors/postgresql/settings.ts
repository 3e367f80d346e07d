import { z } from 'zod';

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
    .meta({ title: 'Host', description: 'Name or address of the server, without a protocol.', examples: ['db.example.com'] }),
  port: z
    .number()
    .int()
    .min(1)
    .max(65_535)
    .default(5432)
    .meta({ title: 'Port', description: 'PostgreSQL listens on 5432 by default.' }),
  database: z.string().min(1).max(63).meta({ title: 'Database', description: 'An existing database; encoding UTF8.' }),
  schema: z
    .string()
    .regex(identifier, 'letters, digits and underscores, at most 63, not beginning with pg_')
    .default('public')
    .meta({ title: 'Schema', description: 'Where the tables go. Made if it does not exist and the user may.' }),
  user: z
    .string()
    .min(1)
    .max(63)
    .meta({ title: 'User', description: 'A role of its own, with the right to create tables in the schema.' }),
  sslMode: z
    .enum(['disable', 'prefer', 'require', 'verify-full'])
    .default('prefer')
    .meta({
      title: 'Encryption',
      description: 'How the connection is encrypted: what PostgreSQL calls sslmode.',
      enumTitles: {
        disable: 'None',
        prefer: 'If the server offers it',
        require: 'Always',
        'verify-full': 'Always, with a certificate for this host',
      },
    }),
  tablePrefix: z
    .string()
    .regex(/^([a-z][a-z0-9_]{0,19})?$/, 'small letters, digits and underscores, at most 20')
    .default('')
    .meta({ title: 'Table prefix', description: 'Stands before every table name, e.g. "ads_". May stay empty.' }),
});

export const credentialsSchema = z.strictObject({
  password: z
    .string()
    .max(1_000)
    .meta({ title: 'Password', description: 'Stored encrypted, and never shown again.', format: 'password' }),
});

export type PostgresqlSettings = z.infer<typeof settingsSchema> & z.infer<typeof credentialsSchema>;
