import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCompose } from '../demo/test/compose-services.ts';
import { inRepository } from '../repository.ts';
import { copyRepository } from './copy-repository.ts';
import { fillSettings, secretsOf } from './settings.ts';

const compose = readFileSync(inRepository('docker-compose.yml'), 'utf8');
const example = readFileSync(inRepository('.env.example'), 'utf8');
const settings = fillSettings(example);
const valueOf = (name: string): string | undefined => new RegExp(`^${name}=(.*)$`, 'm').exec(settings)?.[1];

describe('the settings of the Compose test', () => {
  it('contain what docker-compose.yml requires', () => {
    const required = [...compose.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name!);
    expect(required.length).toBeGreaterThan(2);
    for (const name of required) expect(valueOf(name)).toMatch(/^[0-9a-f]{48}$/);
  });

  it('fill every empty setting of .env.example', () => {
    expect(settings.match(/^[A-Z_]+=$/gm)).toBeNull();
    expect(settings.replaceAll(/^([A-Z_]+)=.*$/gm, '$1')).toBe(example.replaceAll(/^([A-Z_]+)=.*$/gm, '$1'));
  });

  it('define the variables in other settings', () => {
    for (const [, name] of settings.matchAll(/^[A-Z_]+=.*?\$\{(\w+)\}/gm)) expect(valueOf(name!)).toBeTruthy();
  });

  it('have random secrets', () => {
    const secrets = secretsOf(settings);
    expect(secrets).toHaveLength(4);
    expect(Buffer.from(valueOf('ENCRYPTION_KEY')!, 'base64')).toHaveLength(32);
    const all = [...secrets, ...secretsOf(fillSettings(example))];
    expect(new Set(all).size).toBe(8);
  });
});

describe('the copy of the repository', () => {
  let folder: string;
  beforeAll(() => (folder = copyRepository()));
  afterAll(() => rmSync(folder, { recursive: true }));
  const isThere = (name: string) => existsSync(path.join(folder, name));

  it('has what the image and the services are made of, and no installation', () => {
    for (const name of ['Dockerfile', '.dockerignore', 'docker-compose.yml', '.env.example', 'backend/package.json', 'deploy'])
      expect(isThere(name)).toBe(true);
    for (const name of ['.env', '.secrets', '.git', 'node_modules', '.data']) expect(isThere(name)).toBe(false);
  });

  it('lets the user of PostgreSQL read the mounted files', () => {
    const volumes = readCompose().services.postgres!.volumes ?? [];
    const files = volumes.filter((volume) => volume.startsWith('./')).map((volume) => volume.split(':')[0]!);
    expect(files).toHaveLength(2);
    for (const file of files) expect(statSync(path.join(folder, file)).mode & 0o044).toBe(0o044);
  });
});

describe('the Compose test', () => {
  it('uses ports that docker-compose.yml publishes to this machine', () => {
    const published = Object.values(readCompose().services).flatMap(({ ports = [] }) => ports.map((port) => port.split(':')[1]));
    for (const file of ['product', 'demo']) {
      const source = readFileSync(inRepository('tools', 'compose', 'test', `${file}.test.ts`), 'utf8');
      const used = [...source.matchAll(/http:\/\/127\.0\.0\.1:(\d+)/g)].map(([, port]) => port);
      expect(used.length).toBeGreaterThan(0);
      expect(published).toEqual(expect.arrayContaining(used));
    }
  });
});
