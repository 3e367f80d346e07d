/** An app that lacks access. */
export interface EndedAccess {
  providerName: string;
  /** Its credentials are entered, without OAuth. */
  isTyped: boolean;
  /** Why it lacks access; null: unknown. */
  failure: { code: string; message: string } | null;
}

/** The first sentence of the cause; the page of the app shows all of it. */
export function expiredReason({ providerName, isTyped, failure }: EndedAccess): string {
  if (failure?.code === 'app.imported') return `${providerName} was imported without credentials`;
  if (isTyped && failure?.code !== 'app.disconnected') return `${providerName} rejects the credentials`;
  const [cause = ''] = failure?.message.split(/\.(?: |$)/) ?? [];
  return cause || `${providerName} must be connected again`;
}
