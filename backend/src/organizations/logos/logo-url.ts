// SQL: part of the statements that list organizations.

export const LOGO_PATH = '/api/v1/logos';

export const logoUrlOf = (logo: { id: string } | null): string | null => logo && `${LOGO_PATH}/${logo.id}`;

/** SQL of the URL under which an organization's logo is served, or null. */
export const logoUrlSql = (organizationId: string): string =>
  `(select '${LOGO_PATH}/' || l.id from organization_logos l where l.organization_id = ${organizationId})`;
