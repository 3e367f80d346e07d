/** Prisma carries a calendar day as UTC midnight; the product carries it as text. */
export const dayToDate = (day: string): Date => new Date(`${day}T00:00:00.000Z`);
