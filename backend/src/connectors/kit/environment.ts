import { z } from 'zod';

/** The address of a provider, without a slash at its end. */
export const httpUrl = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, ''));

/** Environment variables of one connector or of several that share an OAuth client. Their names are in capitals. */
export type Environment = z.ZodRawShape;

/** The parsed variables. Those in `Needed` are set, because the provider is not offered otherwise. */
export type EnvironmentValues<Shape extends Environment, Needed extends keyof Shape = never> = {
  [Name in keyof Shape]: Name extends Needed ? NonNullable<z.output<Shape[Name]>> : z.output<Shape[Name]>;
};

/** Maximum time to wait for a report that a platform creates, over all attempts, before the run fails with a provider error. */
export const reportPatience = {
  REPORT_PATIENCE_SECONDS: z.coerce.number().int().min(1).max(86_400).default(3_600),
};
