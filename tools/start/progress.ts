import { clearLine, cursorTo, moveCursor } from 'node:readline';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 100;
/** Without a terminal, a slow step prints a line at this interval. */
const REMINDER_MS = 15_000;

interface Step {
  title: string;
  /** What the step is doing, shown while it runs. */
  activity: string;
  startedAt: number;
}

export interface Progress {
  step<Result>(title: string, activity: string, work: () => Promise<Result>): Promise<Result>;
  say(message: string): void;
}

const seconds = (startedAt: number) => `${((Date.now() - startedAt) / 1000).toFixed(1)} s`;

/** Prints one line for each step. On a terminal, running steps are redrawn below the finished ones. */
export class ConsoleProgress implements Progress {
  readonly #output: NodeJS.WriteStream;
  readonly #running = new Set<Step>();
  #drawnLines = 0;
  #frame = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(output: NodeJS.WriteStream = process.stdout) {
    this.#output = output;
  }

  async step<Result>(title: string, activity: string, work: () => Promise<Result>): Promise<Result> {
    const step = { title, activity, startedAt: Date.now() };
    this.#running.add(step);
    this.#tick();
    try {
      const result = await work();
      this.#finish(step, '✓');
      return result;
    } catch (error) {
      this.#finish(step, '✗');
      throw error;
    }
  }

  say(message: string): void {
    this.#erase();
    this.#output.write(`${message}\n`);
    this.#draw();
  }

  #finish(step: Step, mark: string): void {
    this.#running.delete(step);
    this.say(`${mark} ${step.title.padEnd(34)} ${seconds(step.startedAt)}`);
    if (this.#running.size > 0 || !this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  #tick(): void {
    this.#draw();
    this.#timer ??= setInterval(
      () => (this.#output.isTTY ? this.#turn() : this.#remind()),
      this.#output.isTTY ? FRAME_MS : REMINDER_MS,
    );
  }

  #turn(): void {
    this.#frame += 1;
    this.#erase();
    this.#draw();
  }

  #remind(): void {
    for (const { title, activity, startedAt } of this.#running) {
      this.#output.write(`  ${title}: ${activity}, ${seconds(startedAt)}\n`);
    }
  }

  #erase(): void {
    for (; this.#drawnLines > 0; this.#drawnLines -= 1) {
      moveCursor(this.#output, 0, -1);
      cursorTo(this.#output, 0);
      clearLine(this.#output, 0);
    }
  }

  #draw(): void {
    if (!this.#output.isTTY) return;
    this.#erase();
    for (const { title, activity, startedAt } of this.#running) {
      const line = `${FRAMES[this.#frame % FRAMES.length]} ${title.padEnd(34)} ${seconds(startedAt)}  ${activity}`;
      this.#output.write(`${line.slice(0, this.#output.columns - 1)}\n`);
      this.#drawnLines += 1;
    }
  }
}

/** Prints nothing. For tests. */
export const silentProgress: Progress = { step: (_title, _activity, work) => work(), say: () => {} };
