import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '../../core/database/database.js';
import { logoUrlOf, logoUrlSql } from './logo-url.js';
import { notFound, Problem } from '../../core/http/problem.js';
import type { TenantTransaction } from '../../core/database/tenant-database.js';
import { type Logo, readLogo } from './logo.js';

/** SQL of an organization's logo URL, in a statement with the organization's id in `$1`. */
export const OWN_LOGO_URL = logoUrlSql('$1');

@Injectable()
export class Logos {
  constructor(private readonly database: Database) {}

  /** Public to anyone with the URL: browsers load images without a token. */
  async get(logoId: string): Promise<Logo> {
    const logo = await this.database.prisma.organizationLogo.findUnique({ where: { id: logoId } });
    if (!logo) throw notFound('The logo');
    return { contentType: logo.contentType, content: Buffer.from(logo.content) };
  }
}

/**
 * Stores the submitted logo: a data URL, the current URL (unchanged), or null. Call it in the transaction that locks the
 * organization.
 * @returns the new URL
 */
export async function storeLogo(
  transaction: TenantTransaction,
  organizationId: string,
  { sent, current }: { sent: string | null; current: string | null },
): Promise<string | null> {
  if (sent === current) return current;
  if (sent === null) {
    await transaction.organizationLogo.deleteMany();
    return null;
  }
  const logo = readLogo(sent);
  if (!logo) throw unknownUrl();
  const stored = {
    id: randomUUID(),
    contentType: logo.contentType,
    content: Uint8Array.from(logo.content),
    createdAt: new Date(),
  };
  await transaction.organizationLogo.upsert({
    where: { organizationId },
    create: { organizationId, ...stored },
    update: stored,
  });
  return logoUrlOf(stored);
}

const unknownUrl = (): Problem => {
  const message = 'logo is not the URL of the current logo';
  return new Problem('request.invalid', { detail: message, action: 'Upload the picture', errors: [{ field: 'logo', message }] });
};
