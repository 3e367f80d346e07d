import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readCompose } from '../demo/test/compose-services.ts';
import { inRepository } from '../repository.ts';

const read = (...names: string[]): string => readFileSync(inRepository(...names), 'utf8');
const WORKFLOWS = '.github/workflows';
const workflows = readdirSync(inRepository(WORKFLOWS)).map((name) => ({ name, text: read(WORKFLOWS, name) }));
const compose = read('docker-compose.yml');
const PINNED_IMAGE = /^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/;

/** Returns the lines of the block under a key. */
function block(text: string, key: RegExp, indent: string): string {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => line.startsWith(indent) && key.test(line.slice(indent.length)));
  if (first < 0) throw new Error(`no ${String(key)}`);
  const rest = lines.slice(first + 1);
  const length = rest.findIndex((line) => line.trim() !== '' && !line.startsWith(`${indent} `));
  return rest.slice(0, length < 0 ? undefined : length).join('\n');
}

const services = block(compose, /^services:/, '');
const serviceNames = [...services.matchAll(/^ {2}([\w-]+):$/gm)].map(([, name]) => name!);
/** A service, including the parts that it merges from anchors. */
function service(name: string): string {
  const own = block(services, new RegExp(`^${name}:`), '  ');
  const merged = (text: string): string =>
    [...text.matchAll(/^ *<<: \*([\w-]+)$/gm)]
      .map(([, anchor]) => block(compose, new RegExp(`&${anchor}$`), ''))
      .map((part) => `${part}\n${merged(part)}`)
      .join('\n');
  return `${own}\n${merged(own)}`;
}

describe('workflows', () => {
  it('pin every action to a commit and name its version', () => {
    const uses = workflows.flatMap(({ text }) => text.split('\n').filter((line) => line.includes('uses:')));
    expect(uses.length).toBeGreaterThan(5);
    for (const line of uses) expect(line).toMatch(/uses: [\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('may only read the repository, and keep no token for later steps', () => {
    for (const { text } of workflows) {
      expect(text).toMatch(/^permissions:\n {2}contents: read\n/m);
      expect(text.match(/permissions:/g)).toHaveLength(1);
      expect(text.match(/persist-credentials: false/g)).toHaveLength(text.match(/actions\/checkout@/g)!.length);
      expect(text).not.toMatch(/pull_request_target|\$\{\{\s*secrets\./);
    }
  });

  it('keep what the browser tests leave when they fail', () => {
    const folder = /outputDir: '\.\.\/(.+)'/.exec(read('frontend', 'playwright.config.ts'))?.[1];
    for (const name of ['check.yml', 'nightly.yml']) expect(read(WORKFLOWS, name)).toMatch(new RegExp(`^ +${folder}$`, 'm'));
  });

  it('scan packages after each change and every day', () => {
    const scan = read(WORKFLOWS, 'dependencies.yml');
    for (const part of ['schedule:', 'pull_request:', 'npm audit --omit=dev --audit-level=high', 'npm audit signatures'])
      expect(scan).toContain(part);
  });

  it('build the image, start the services from it, list its packages and scan it', () => {
    const image = read(WORKFLOWS, 'image.yml');
    const steps = ['make test-compose', 'format: cyclonedx', 'output: sbom.json', 'upload-artifact@', "exit-code: '1'"];
    const positions = steps.map((part) => image.indexOf(part));
    expect(positions).not.toContain(-1);
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
    expect(image.match(/image-ref: tributary$/gm)).toHaveLength(2);
    // Neither list has both: the web app is in the image as a bundle, and the engine is a package of development.
    expect(image).toContain("grep -q 'pkg:npm/%40prisma/schema-engine-wasm@' sbom.json");
    expect(image).toContain("grep -q 'pkg:npm/react@' sbom-sources.json");
    expect(readCompose().services.migrate!.image).toBe('tributary');
  });

  it('give the tests twice the time that they take, and keep the reports of a job that is cancelled', () => {
    const test = block(read(WORKFLOWS, 'check.yml'), /^test:/, '  ');
    expect(test).toContain('timeout-minutes: 120');
    expect(test).toContain('if: failure() || cancelled()');
  });

  it('and images are updated by Dependabot', () => {
    const dependabot = read('.github', 'dependabot.yml');
    for (const ecosystem of ['npm', 'github-actions', 'docker', 'docker-compose'])
      expect(dependabot).toMatch(new RegExp(`package-ecosystem: ${ecosystem}\\n`));
  });
});

describe('images', () => {
  it('are pinned by digest, the same in every stage', () => {
    const bases = [...read('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    // The image of the demo is built from the stage with the whole repository.
    expect(bases).toEqual([bases[0], 'build', bases[0], bases[0]]);
    expect(bases[0]).toMatch(PINNED_IMAGE);
    const images = [...services.matchAll(/^ {4}image: (\S+)$/gm)].map(([, image]) => image!);
    // PostgreSQL, and the same one in the demo.
    expect(images).toEqual([images[0], images[0]]);
    for (const image of images) expect(image).toMatch(PINNED_IMAGE);
    expect(read('tools', 'postgres', 'docker-database.ts')).toContain(images[0]!);
  });

  it('are built without secrets and data of this machine', () => {
    const ignored = read('.dockerignore').split('\n');
    for (const name of ['.data', '.backups', '.env', '.secrets']) expect(ignored).toContain(name);
  });

  // Compose builds concurrently, and newer versions of Docker may reject concurrent builds of one image name.
  it.each(['tributary', 'tributary-demo'])('%s is built by one service and pulled by none', (image) => {
    const users = Object.values(readCompose().services).filter((service) => service.image === image);
    expect(users.length).toBeGreaterThan(2);
    expect(users.filter(({ build }) => build)).toHaveLength(1);
    for (const { build, pull_policy } of users) expect(pull_policy).toBe(build ? undefined : 'never');
  });

  it('of the product run as an unprivileged user', () => {
    expect(read('Dockerfile').match(/^USER node$/gm)).toHaveLength(2);
  });
});

describe('docker-compose.yml', () => {
  it('has the services that these tests check', () => {
    const ofDemo = ['postgres', 'auth', 'mail', 'sandbox', 'prepare', 'migrate', 'api', 'worker', 'setup'];
    expect(serviceNames).toEqual(['postgres', 'migrate', 'api', 'worker', 'demo', ...ofDemo.map((name) => `demo-${name}`)]);
  });

  it.each(serviceNames)('%s has a read-only file system, no added privileges, and limits', (name) => {
    const text = service(name);
    for (const line of [/^ *read_only: true$/m, /^ *cap_drop: \[ALL\]$/m, /^ *security_opt: \['no-new-privileges:true'\]$/m])
      expect(text).toMatch(line);
    for (const key of ['mem_limit', 'pids_limit', 'tmpfs']) expect(text).toMatch(new RegExp(`^ *${key}:`, 'm'));
    expect(text).not.toMatch(/privileged: true|network_mode: host|docker\.sock|seccomp[:=]unconfined/);
  });

  it.each(serviceNames)('%s writes a log of limited size', (name) => {
    expect(service(name)).toContain("logging: { driver: local, options: { max-size: 10m, max-file: '5' } }");
  });

  it('adds capabilities only to PostgreSQL, and only those that its entrypoint needs', () => {
    const added = serviceNames.filter((name) => service(name).includes('cap_add'));
    expect(added).toEqual(['postgres', 'demo-postgres']);
    for (const name of added) expect(service(name)).toContain('cap_add: [CHOWN, DAC_OVERRIDE, FOWNER, SETGID, SETUID]');
  });

  it('lets the API finish its delay and its requests before Docker kills it', () => {
    const longestDelay = Number(
      /SHUTDOWN_DELAY_SECONDS: [^\n]*max\((\d+)\)/.exec(read('backend/src/core/config/settings.ts'))![1],
    );
    const grace = Number(/GRACE_MS = (\d+)_000/.exec(read('backend/src/core/http/http-shutdown.ts'))![1]);
    const given = Number(/stop_grace_period: (\d+)s/.exec(service('api'))![1]);
    expect(given).toBeGreaterThan(longestDelay + grace);
  });

  it('publishes ports only to localhost', () => {
    const ports = [...services.matchAll(/^ *ports: \[(.*)\]$/gm)].map(([, list]) => list);
    const ofDemo = ['3000:13000', '3010:13010', '3020:13020', '9099:19099'].map((pair) => `'127.0.0.1:${pair}'`).join(', ');
    expect(ports).toEqual(["'127.0.0.1:${PORT:-3000}:3000'", ofDemo]);
    expect(services.match(/ports:/g)).toHaveLength(2);
  });

  it.each(['api', 'worker'])('gives %s neither the owner’s URL nor database passwords', (name) => {
    expect(service(name)).toContain('<<: *application-environment');
    const blanked = `${block(compose, /&application-environment$/, '')}\n${block(compose, /&no-passwords$/, '')}`;
    for (const setting of ['MIGRATION_DATABASE_URL', 'POSTGRES_PASSWORD', 'POSTGRES_OWNER_PASSWORD', 'POSTGRES_APP_PASSWORD'])
      expect(blanked).toContain(`  ${setting}: ''`);
  });
});

describe('.env.example', () => {
  it('connects as a role that is neither superuser nor owner', () => {
    const environment = read('.env.example');
    expect(environment).toMatch(/^DATABASE_URL=postgresql:\/\/tributary_app:/m);
    expect(environment).toMatch(/^MIGRATION_DATABASE_URL=postgresql:\/\/tributary_owner:/m);
    const script = read('deploy', 'postgres-roles.sh');
    for (const role of ['tributary_owner', 'tributary_app']) expect(script).toContain(`'${role}'`);
  });
});

describe('scripts in deploy', () => {
  it.each(['postgres-roles.sh', 'demo-secrets.sh'])('%s is a valid shell script', (name) => {
    execFileSync('sh', ['-n', inRepository('deploy', name)]);
  });
});

describe('documented limits of a proxy', () => {
  const operations = read('docs', 'operations.md');
  const millisecondsOf = (file: string, name: string): number =>
    Number(
      new RegExp(`const ${name} = ([\\d_]+);`).exec(read('backend', 'src', 'configuration', file))?.[1]?.replaceAll('_', ''),
    );
  /** The import of a configuration is the longest request. */
  const longestSeconds =
    (millisecondsOf('import-configuration.ts', 'APPLY_TIMEOUT_MS') + millisecondsOf('import-configuration.ts', 'WAIT_MS')) /
    1_000;

  it('are longer than the longest request: NGINX', () => {
    expect(Number(/proxy_read_timeout (\d+)s;/.exec(operations)?.[1])).toBeGreaterThan(longestSeconds);
  });

  it('are longer than the longest request: Kubernetes', () => {
    const seconds = /must wait at least (\d+) seconds for a response/.exec(operations)?.[1];
    expect(Number(seconds)).toBeGreaterThan(longestSeconds);
  });
});
