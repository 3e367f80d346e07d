import { z } from 'zod';

const permissionsSchema = z.object({ data: z.array(z.object({ permission: z.string(), status: z.string() })) });

/** The granted permissions in an answer of `me/permissions`; null if it has none of this form. */
export function grantedPermissions(answer: unknown): string[] | null {
  const parsed = permissionsSchema.safeParse(answer);
  if (!parsed.success) return null;
  return parsed.data.data.filter(({ status }) => status === 'granted').map(({ permission }) => permission);
}
