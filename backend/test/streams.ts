import type { TestApp } from './app.js';

export interface Stream {
  status: number;
  /** Everything received so far. */
  text(): string;
  isOpen(): boolean;
  /** Resolves with the milliseconds since `since` (of `performance.now()`) when the server ended the stream. */
  endedAfter(since: number): Promise<number>;
  close(): void;
}

/** Opens the live event stream of an organization with an ID token or an API key. */
export async function openStream(app: TestApp, organizationPath: string, token: string, signal?: AbortSignal): Promise<Stream> {
  const controller = new AbortController();
  const answer = await fetch(`${app.url}${organizationPath}/events`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.any([controller.signal, ...(signal ? [signal] : [])]),
  });
  let text = '';
  let endedAt: number | null = null;
  const reading = read(answer, (piece) => (text += piece)).finally(() => (endedAt = performance.now()));
  return {
    status: answer.status,
    text: () => text,
    isOpen: () => endedAt === null,
    endedAfter: async (since) => {
      await reading;
      return (endedAt ?? performance.now()) - since;
    },
    close: () => controller.abort(),
  };
}

async function read(answer: Response, onPiece: (piece: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  try {
    for await (const piece of answer.body ?? []) onPiece(decoder.decode(piece as Uint8Array, { stream: true }));
  } catch {
    // Closed by the test.
  }
}
