/** Detects a server that accepts no more data. The wait for the next lines is not counted. */
export class StallTimeout {
  private readonly limitMs: number;
  private readonly onSilence: (error: Error) => void;
  private timer: NodeJS.Timeout | undefined;

  constructor(limitMs: number, onSilence: (error: Error) => void) {
    this.limitMs = limitMs;
    this.onSilence = onSilence;
  }

  /** When the next line is requested, the server has accepted the previous one. After the last line it must confirm the end. */
  async *watch(lines: Iterable<Buffer> | AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const line of lines) {
      this.begin();
      yield line;
      this.end();
    }
    this.begin();
  }

  end(): void {
    clearTimeout(this.timer);
  }

  private begin(): void {
    const error = Object.assign(new Error('the server accepts no more data'), { code: 'ETIMEDOUT' });
    this.timer = setTimeout(() => this.onSilence(error), this.limitMs);
  }
}
