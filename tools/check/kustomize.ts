import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

/** A resource of Kubernetes. */
export interface Resource {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  [field: string]: unknown;
}

interface Kustomization {
  apiVersion: string;
  kind: 'Kustomization';
  namespace?: string;
  resources: string[];
  images?: { name: string; newName: string; newTag: string }[];
  configMapGenerator?: { name: string; behavior?: 'merge'; envs: string[]; options?: { labels: Record<string, string> } }[];
}

/** Other fields would be ignored without an error. */
const FIELDS = ['apiVersion', 'kind', 'namespace', 'resources', 'images', 'configMapGenerator'];

/** As kubectl reads it: YAML 1.1, where 0440 is octal. */
export function parseResources(text: string): Resource[] {
  return parseAllDocuments(text, { version: '1.1' }).map((document) => {
    if (document.errors[0]) throw document.errors[0];
    return document.toJS() as Resource;
  });
}

export function readKustomization(folder: string): Kustomization {
  const kustomization = parse(readFileSync(path.join(folder, 'kustomization.yaml'), 'utf8')) as Kustomization;
  const unknown = Object.keys(kustomization).filter((field) => !FIELDS.includes(field));
  if (unknown.length > 0) throw new Error(`${folder}: render() does not implement ${unknown.join(', ')}`);
  return kustomization;
}

/**
 * The resources of a folder, as `kubectl kustomize` renders them. It implements the fields that deploy/kubernetes uses, because tests
 * also run on machines without kubectl. Names of generated ConfigMaps have no hash.
 */
export function render(folder: string): Resource[] {
  const { namespace, resources, images = [], configMapGenerator = [] } = readKustomization(folder);
  const rendered = resources.map((name) => path.join(folder, name)).flatMap(readEntry);
  for (const generator of configMapGenerator) generateConfigMap(rendered, folder, generator);
  for (const resource of rendered) {
    if (namespace && resource.kind !== 'Namespace') resource.metadata.namespace = namespace;
    for (const container of containersOf(resource)) {
      const image = images.find(({ name }) => name === container.image);
      if (image) container.image = `${image.newName}:${image.newTag}`;
    }
  }
  return rendered;
}

const readEntry = (entry: string): Resource[] =>
  statSync(entry).isDirectory() ? render(entry) : parseResources(readFileSync(entry, 'utf8'));

/** The containers of a Deployment or a Job. */
function containersOf({ spec }: Resource): { image: string }[] {
  const workload = spec as { template?: { spec: { containers: { image: string }[] } } } | undefined;
  return workload?.template?.spec.containers ?? [];
}

function generateConfigMap(
  resources: Resource[],
  folder: string,
  { name, behavior, envs, options }: NonNullable<Kustomization['configMapGenerator']>[number],
): void {
  const lines = envs.flatMap((file) => readFileSync(path.join(folder, file), 'utf8').split('\n'));
  const settings = lines.filter((line) => /^[^#\s]/.test(line)).map((line) => line.split(/=(.*)/, 2) as [string, string]);
  const data = Object.fromEntries(settings);
  const existing = resources.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name);
  if ((behavior === 'merge') !== Boolean(existing)) throw new Error(`${folder}: ${name} must be created once and then merged`);
  if (existing) existing.data = { ...(existing.data as object), ...data };
  else resources.push({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: options?.labels ?? {} }, data });
}
