import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { isIgnored, PRODUCT, readCopy, readStages, repository } from './dockerfile.js';

const MAX_OUTPUT_BYTES = 16_000_000;
/** Files that come from the checkout, because `make test` has built them there with the same commands. */
const BUILD = 'build';
/** Without effect on a folder. */
const SKIPPED = new Set(['USER', 'EXPOSE']);

/** A stage of the Dockerfile in a folder of this machine, which stands for the root of its file system. */
export class Image {
  readonly environment: Record<string, string> = {};
  command: string[] = [];
  private folder = '/';

  private constructor(
    private readonly name: string,
    private readonly parent: string,
    private readonly others: Map<string, Promise<Image>>,
  ) {}

  /** Executes the instructions of the product's image and of the stages that it copies from. */
  static build(parent: string): Promise<Image> {
    return Image.stage(PRODUCT, parent, new Map());
  }

  /** The working directory. */
  get workdir(): string {
    return this.locate(this.folder);
  }

  /** Where a path of the image is on this machine. */
  locate(name: string): string {
    return path.join(this.parent, this.name, name);
  }

  private static stage(name: string, parent: string, others: Map<string, Promise<Image>>): Promise<Image> {
    const image = others.get(name) ?? new Image(name, parent, others).execute();
    others.set(name, image);
    return image;
  }

  private async execute(): Promise<this> {
    const stage = readStages().find(({ name }) => name === this.name);
    if (!stage) throw new Error(`The Dockerfile has no stage ${this.name}`);
    for (const { keyword, text } of stage.instructions) {
      if (keyword === 'WORKDIR') this.enter(text);
      else if (keyword === 'ENV') Object.assign(this.environment, variablesOf(text));
      else if (keyword === 'COPY') await this.copy(text);
      else if (keyword === 'RUN') await this.run(text);
      else if (keyword === 'CMD') this.command = JSON.parse(text) as string[];
      else if (!SKIPPED.has(keyword)) throw new Error(`Not supported here: ${keyword} ${text}`);
    }
    return this;
  }

  private enter(folder: string): void {
    this.folder = folder;
    mkdirSync(this.workdir, { recursive: true });
  }

  private async copy(text: string): Promise<void> {
    const { from, sources, target } = readCopy(text);
    for (const source of sources) {
      const origin = await this.originOf(from, source);
      const isInFolder = target.endsWith('/') && !statSync(origin).isDirectory();
      const place = this.locate(path.resolve(this.folder, target, isInFolder ? path.basename(source) : ''));
      mkdirSync(path.dirname(place), { recursive: true });
      // A stage is not used again, and its node_modules has 50,000 files.
      if (from !== undefined && from !== BUILD && !existsSync(place)) renameSync(origin, place);
      else copyTree(origin, place, from === undefined);
    }
  }

  private async originOf(from: string | undefined, source: string): Promise<string> {
    if (from === undefined) return path.join(repository, source);
    if (from === BUILD) return path.join(repository, path.relative('/app', source));
    return (await Image.stage(from, this.parent, this.others)).locate(source);
  }

  private async run(text: string): Promise<void> {
    // Other commands could change files of this machine.
    if (!text.split('&&').every((part) => /^ *npm (ci|install) /.test(part))) throw new Error(`Not executed here: RUN ${text}`);
    const options = { cwd: this.workdir, env: { ...npmEnvironment(), ...this.environment }, maxBuffer: MAX_OUTPUT_BYTES };
    await promisify(execFile)('sh', ['-c', text], options).catch((error: Error & { stderr?: string }) => {
      const hint = 'It needs the npm registry, unless the cache of npm has all packages.';
      throw new Error(`Failed: RUN ${text}\n${hint}\n${error.stderr ?? error.message}`);
    });
  }
}

function copyTree(origin: string, place: string, isOfRepository: boolean): void {
  if (!existsSync(origin)) throw new Error(`${origin} is missing. Run this first: npm run build -w backend -w frontend`);
  const filter = (name: string): boolean => !isOfRepository || !isIgnored(path.relative(repository, name));
  cpSync(origin, place, { recursive: true, verbatimSymlinks: true, filter });
  if (!existsSync(place)) throw new Error(`.dockerignore excludes ${origin}`);
}

const variablesOf = (text: string): Record<string, string> =>
  Object.fromEntries(text.split(' ').map((pair) => pair.split('=', 2) as [string, string]));

/** The script that runs the tests has variables of npm for another folder, and Vitest sets NODE_ENV. */
function npmEnvironment(): NodeJS.ProcessEnv {
  const isKept = (name: string): boolean =>
    /^npm_config_(cache|registry|userconfig|globalconfig)$/i.test(name) ||
    !/^(npm_|NODE_ENV$|NODE_OPTIONS$|INIT_CWD$)/i.test(name);
  const kept = Object.fromEntries(Object.entries(process.env).filter(([name]) => isKept(name)));
  const PATH = [path.dirname(process.execPath), kept['PATH']].join(path.delimiter);
  return { ...kept, PATH, npm_config_prefer_offline: 'true', npm_config_update_notifier: 'false' };
}
