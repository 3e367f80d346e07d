import { dial, type GuardedSocket, type Place } from './socket.js';

export interface SilenceWatch {
  end(): void;
}

/**
 * Closes the connection if the server has vanished. A statement may take minutes, and TCP detects unacknowledged data only after
 * 15 minutes. After a time without a response, a second connection is opened without signing in. If that fails too, the server is
 * unreachable.
 */
export function watchSilence(
  socket: GuardedSocket,
  place: Place,
  { silentMs, answerMs }: { silentMs: number; answerMs: number },
): SilenceWatch {
  const ended = new AbortController();
  let isAsking = false;
  let askedAt = 0;
  const look = async () => {
    const heardAt = Math.max(socket.receivedAt, askedAt);
    const isOwed = socket.sentAt > socket.receivedAt && performance.now() - Math.max(socket.sentAt, heardAt) > silentMs;
    if (!isOwed || isAsking) return;
    isAsking = true;
    try {
      (await dial(place, AbortSignal.any([ended.signal, AbortSignal.timeout(answerMs)]))).socket.destroy();
      askedAt = performance.now();
    } catch {
      if (!ended.signal.aborted) socket.destroy(Object.assign(new Error('the server no longer responds'), { code: 'ETIMEDOUT' }));
    } finally {
      isAsking = false;
    }
  };
  const timer = setInterval(() => void look(), Math.max(50, silentMs / 3));
  timer.unref();
  return {
    end: () => {
      clearInterval(timer);
      ended.abort();
    },
  };
}
