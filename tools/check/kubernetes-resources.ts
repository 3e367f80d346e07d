import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment';
import type { IJob } from 'kubernetes-models/batch/v1/Job';
import type { IConfigMap } from 'kubernetes-models/v1/ConfigMap';
import type { ISecret } from 'kubernetes-models/v1/Secret';
import { inRepository } from '../repository.ts';
import { parseResources, render, type Resource } from './kustomize.ts';

/** What tests read from deploy/kubernetes. `kubernetes.spec.ts` validates the resources, so that their types are true. */

export const FOLDERS = ['base', 'overlays/example'].map((name) => inRepository('deploy', 'kubernetes', name));
export const OVERLAY = inRepository('deploy', 'kubernetes', 'overlays', 'example');
export const ROLES = ['migrate', 'api', 'worker'];
export const resources = render(OVERLAY);
/** The Secrets that an operator creates, without values. */
export const secrets = parseResources(readFileSync(path.join(OVERLAY, 'secrets.example.yaml'), 'utf8')) as (Resource & ISecret)[];

export const all = <Type>(kind: string): (Resource & Type)[] =>
  resources.filter((each) => each.kind === kind) as (Resource & Type)[];

export function one<Type>(kind: string, name: string): Resource & Type {
  const found = all<Type>(kind).find(({ metadata }) => metadata.name === name);
  if (!found) throw new Error(`no ${kind} ${name}`);
  return found;
}

/** The Deployments and Jobs, each with one container. */
export const workloads = [...all<IDeployment>('Deployment'), ...all<IJob>('Job')].map(({ metadata, spec }) => {
  const pod = spec?.template.spec;
  const container = pod?.containers[0];
  if (!pod || !container) throw new Error(`${metadata.name} has no container`);
  return { role: metadata.name.replace('tributary-', ''), labels: spec.template.metadata?.labels ?? {}, pod, container };
});

export function workload(role: string): (typeof workloads)[number] {
  const found = workloads.find((each) => each.role === role);
  if (!found) throw new Error(`no workload with the role ${role}`);
  return found;
}

/** The environment variables of a container. */
export function environmentOf(role: string): Record<string, string> {
  const { env = [], envFrom = [] } = workload(role).container;
  const maps = envFrom.map(({ configMapRef }) => one<IConfigMap>('ConfigMap', configMapRef?.name ?? '').data);
  return Object.assign({}, ...maps, Object.fromEntries(env.map(({ name, value }) => [name, value ?? '']))) as Record<
    string,
    string
  >;
}
