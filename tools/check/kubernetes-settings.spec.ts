import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment';
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import { afterAll, describe, expect, it } from 'vitest';
import { childEnvironment, inRepository, nodeProgram } from '../repository.ts';
import { all, environmentOf, resources, ROLES, secrets, workload, workloads } from './kubernetes-resources.ts';

const databaseUrl = (role: string): string => `postgresql://${role}:secret@postgres.example.com:5432/tributary`;
const VALUES: Record<string, string> = {
  DATABASE_URL: databaseUrl('tributary_app'),
  MIGRATION_DATABASE_URL: databaseUrl('tributary_owner'),
  ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
  GOOGLE_CLIENT_SECRET: 'secret',
  SMTP_URL: 'smtp://user:secret@mail.example.com:587',
  FIREBASE_SERVICE_ACCOUNT: JSON.stringify({
    project_id: environmentOf('api').FIREBASE_PROJECT_ID,
    client_email: 'tributary@example.com',
    private_key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
  }),
};

const mounts = mkdtempSync(path.join(os.tmpdir(), 'mounts-'));
afterAll(() => rmSync(mounts, { recursive: true }));

/** Writes the keys of the Secrets that the container mounts, and returns its environment with the paths of these files. */
function mountSecrets(role: string): Record<string, string> {
  const { pod, container } = workload(role);
  const root = path.join(mounts, role);
  for (const { name, mountPath } of container.volumeMounts!) {
    const secret = pod.volumes!.find((volume) => volume.name === name)?.secret;
    mkdirSync(path.join(root, mountPath), { recursive: true });
    for (const key of Object.keys(secrets.find(({ metadata }) => metadata.name === secret?.secretName)?.stringData ?? {}))
      writeFileSync(path.join(root, mountPath, key), VALUES[key]!);
  }
  const moved = Object.entries(environmentOf(role)).map(([name, value]) => [
    name,
    name.endsWith('_FILE') ? path.join(root, value) : value,
  ]);
  return Object.fromEntries(moved) as Record<string, string>;
}

/** Reads the settings as the product does when it starts. */
function startWith(environment: Record<string, string>): { settings: Record<string, unknown>; error: string } {
  const script = `import { readEnv } from './backend/src/core/config/env.ts';
    console.log(JSON.stringify(readEnv(process.env, { shape: {}, together: [] })));`;
  const parameters = ['--import', './backend/bench/resolve-source.mjs', '--input-type=module', '--eval', script];
  const { PATH } = childEnvironment();
  const { stdout, stderr } = spawnSync(nodeProgram(), parameters, {
    cwd: inRepository(),
    env: { PATH, ...environment },
    encoding: 'utf8',
  });
  return { settings: stdout ? (JSON.parse(stdout) as Record<string, unknown>) : {}, error: stderr };
}

describe('the settings of deploy/kubernetes', () => {
  it.each(ROLES)('start %s', (role) => {
    const { settings, error } = startWith(mountSecrets(role));
    expect(error).toBe('');
    expect(settings).toMatchObject({
      ROLE: role,
      HOST: '0.0.0.0',
      NODE_ENV: 'production',
      DATABASE_URL: databaseUrl('tributary_app'),
    });
    expect(settings.MIGRATION_DATABASE_URL).toBe(role === 'migrate' ? databaseUrl('tributary_owner') : undefined);
    if (role === 'migrate') return;
    const ports = Object.fromEntries(workload(role).container.ports!.map(({ name, containerPort }) => [name, containerPort]));
    expect(ports.metrics).toBe(settings.METRICS_PORT);
    if (role === 'api') expect(ports.http).toBe(settings.PORT);
  });

  it('do not start the product if one is missing', () => {
    const { PUBLIC_URL: _, ...environment } = mountSecrets('worker');
    rmSync(environment.ENCRYPTION_KEY_FILE!);
    const { error } = startWith(environment);
    for (const problem of ['ENCRYPTION_KEY_FILE: cannot read', 'PUBLIC_URL: is missing']) expect(error).toContain(problem);
  });

  it('have names that .env.example describes', () => {
    const known = [...readFileSync(inRepository('.env.example'), 'utf8').matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].map(
      ([, name]) => name!,
    );
    const used = ROLES.flatMap((role) => Object.keys(environmentOf(role))).map((name) => name.replace(/_FILE$/, ''));
    expect(used.filter((name) => !known.includes(name) && !['CHECKPOINT_DISABLE', 'HOME'].includes(name))).toEqual([]);
  });

  it('contain no secret: Secrets are mounted as files, and their values are not in the repository', () => {
    const isSecret = (name: string) =>
      /SECRET|PASSWORD|TOKEN|SERVICE_ACCOUNT|ENCRYPTION_KEY|(DATABASE|SMTP)_URL|API_KEY/.test(name);
    const found = ROLES.flatMap((role) =>
      Object.keys(environmentOf(role)).filter((name) => isSecret(name) && !name.endsWith('_FILE')),
    );
    // Every browser gets it.
    expect(new Set(found)).toEqual(new Set(['FIREBASE_API_KEY']));
    expect(JSON.stringify(resources)).not.toMatch(/secretKeyRef|secretRef/);
    expect(resources.filter(({ kind }) => kind === 'Secret')).toEqual([]);
    const examples = secrets.flatMap(({ stringData }) => Object.entries(stringData!));
    expect(Object.fromEntries(examples)).toEqual(Object.fromEntries(Object.keys(VALUES).map((name) => [name, ''])));
  });

  it('of the owner of the database are mounted by migrate only', () => {
    const users = workloads.filter(({ pod }) => pod.volumes!.some(({ secret }) => secret?.secretName === 'tributary-owner'));
    expect(users.map(({ role }) => role)).toEqual(['migrate']);
  });

  it('open no more database connections than PostgreSQL accepts by default, even with all pods during an update', () => {
    const { settings } = startWith(mountSecrets('api'));
    const rolling = ({ spec }: IDeployment) => Number((spec!.strategy!.rollingUpdate as { maxSurge: number }).maxSurge);
    const surge = all<IDeployment>('Deployment').map(rolling);
    const most = all<IHorizontalPodAutoscaler>('HorizontalPodAutoscaler').map(({ spec }) => spec!.maxReplicas);
    const processes = [...most, ...surge].reduce((sum, count) => sum + count);
    // max_connections is 100, and superuser_reserved_connections is 3.
    expect(processes * (Number(settings.DATABASE_POOL_SIZE) + 1)).toBeLessThanOrEqual(97);
  });
});
