import type { ErrorDescription } from '~/api/http/describe-error';
import { sentence } from '~/lib/sentence';

/** The message and what the server says to do, in sentences. A link to the plans is shown as a button instead. */
export const withAction = (message: string, { action, planAction }: Pick<ErrorDescription, 'action' | 'planAction'>): string =>
  action === null || action === planAction ? sentence(message) : `${sentence(message)} ${sentence(action)}`;
