import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '../../core/database/database.js';
import { LOGO_PATH, logoUrlSql } from './logo-url.js';
import { notFound, Problem } from '../../core/http/problem.js';
import type { TenantQuery } from '../../core/database/tenant-database.js';
import { type Logo, readLogo } from './logo.js';

/** SQL of an organization's logo URL, in a statement with the organization's id in `$1`. */
export const OWN_LOGO_URL = logoUrlSql('$1');

@Injectable()
export class Logos {
  constructor(private readonly database: Database) {}

  /** Public to anyone with the URL: browsers load images without a token. */
  async get(logoId: string): Promise<Logo> {
    const { rows } = await this.database.pool.query<Logo>(
      'select content_type as "contentType", content from organization_logos where id = $1',
      [logoId],
    );
    if (!rows[0]) throw notFound('The logo');
    return rows[0];
  }
}

/**
 * Stores the submitted logo: a data URL, the current URL (unchanged), or null. Call it in the transaction that locks the
 * organization.
 * @returns the new URL
 */
export async function storeLogo(query: TenantQuery, sent: string | null, current: string | null): Promise<string | null> {
  if (sent === current) return current;
  if (sent === null) {
    await query('delete from organization_logos where organization_id = $1');
    return null;
  }
  const logo = readLogo(sent);
  if (!logo) throw unknownUrl();
  const id = randomUUID();
  await query(
    `insert into organization_logos (organization_id, id, content_type, content) values ($1, $2, $3, $4)
     on conflict (organization_id) do update
       set id = excluded.id, content_type = excluded.content_type, content = excluded.content, created_at = now()`,
    [id, logo.contentType, logo.content],
  );
  return `${LOGO_PATH}/${id}`;
}

const unknownUrl = (): Problem => {
  const message = 'logo is not the URL of the current logo';
  return new Problem('request.invalid', { detail: message, action: 'Upload the picture', errors: [{ field: 'logo', message }] });
};
