/** Notices a server that takes nothing more. The time that the lines themselves take to come is not counted. */
export class StallTimeout {
  private readonly limitMs: number;
  private readonly onSilence: (error: Error) => void;
  private timer: NodeJS.Timeout | undefined;

  constructor(limitMs: number, onSilence: (error: Error) => void) {
    this.limitMs = limitMs;
    this.onSilence = onSilence;
  }

  /** Asked for the next line, the server has taken the one before; after the last it has to say that it has all. */
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
    const error = Object.assign(new Error('the server takes nothing more'), { code: 'ETIMEDOUT' });
    this.timer = setTimeout(() => this.onSilence(error), this.limitMs);
  }
}
