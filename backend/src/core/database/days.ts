/** Prisma represents a calendar day as UTC midnight, the product as text. */
export const dateToDay = (date: Date): string => date.toISOString().slice(0, 10);
export const dayToDate = (day: string): Date => new Date(`${day}T00:00:00.000Z`);
