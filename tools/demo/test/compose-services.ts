import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { inRepository } from '../../repository.ts';

type Condition = 'service_healthy' | 'service_started' | 'service_completed_successfully';

/** What is used of a service of docker-compose.yml. */
export interface ComposeService {
  profiles?: string[];
  image?: string;
  scale?: string;
  pull_policy?: string;
  ports?: string[];
  volumes?: string[];
  build?: string | { context: string; target: string };
  command?: string[];
  working_dir?: string;
  network_mode?: string;
  user?: string;
  environment?: Record<string, string | number>;
  secrets?: string[];
  depends_on?: Record<string, { condition: Condition }>;
  healthcheck?: { test: string[] };
}

export interface Compose {
  services: Record<string, ComposeService>;
  secrets: Record<string, { file: string }>;
}

export const readCompose = (): Compose =>
  parse(readFileSync(inRepository('docker-compose.yml'), 'utf8'), { merge: true }) as Compose;

export const servicesOf = ({ services }: Compose, profile: string): Record<string, ComposeService> =>
  Object.fromEntries(Object.entries(services).filter(([, service]) => service.profiles?.includes(profile)));

/** Of a target of the Dockerfile, without those of the stages that it is built from. */
export function imageOf(target: string): { environment: Record<string, string>; command: string[] } {
  const stages = readFileSync(inRepository('Dockerfile'), 'utf8').split(/^(?=FROM )/m);
  const stage = stages.find((text) => text.split('\n', 1)[0]!.endsWith(` AS ${target}`)) ?? '';
  const variables = [...stage.matchAll(/^ENV (.+)$/gm)].flatMap(([, list]) => list!.split(' '));
  const command = /^CMD (.+)$/m.exec(stage)?.[1] ?? '[]';
  return {
    environment: Object.fromEntries(variables.map((pair) => pair.split('=') as [string, string])),
    command: JSON.parse(command) as string[],
  };
}
