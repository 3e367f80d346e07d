import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Namespace } from 'kubernetes-models/v1/Namespace';
import { Secret } from 'kubernetes-models/v1/Secret';
import { Service } from 'kubernetes-models/v1/Service';
import { ServiceAccount } from 'kubernetes-models/v1/ServiceAccount';
import ts from 'typescript';
import { inRepository } from '../repository.ts';
import type { Resource } from './kustomize.ts';

/** Generated from the OpenAPI schemas of Kubernetes. */
const MODELS: Record<string, new (data: never) => { validate(): void }> = {
  'apps/v1/Deployment': Deployment,
  'autoscaling/v2/HorizontalPodAutoscaler': HorizontalPodAutoscaler,
  'batch/v1/Job': Job,
  'networking.k8s.io/v1/Ingress': Ingress,
  'networking.k8s.io/v1/NetworkPolicy': NetworkPolicy,
  'policy/v1/PodDisruptionBudget': PodDisruptionBudget,
  'v1/ConfigMap': ConfigMap,
  'v1/Namespace': Namespace,
  'v1/Secret': Secret,
  'v1/Service': Service,
  'v1/ServiceAccount': ServiceAccount,
};

const modelOf = ({ apiVersion, kind }: Resource): string => `${apiVersion}/${kind}`;
const nameOf = (resource: Resource): string => `${resource.kind} ${resource.metadata.name}`;

/**
 * What is wrong with the resources, by the schemas of their kinds. The validators check values and accept unknown fields, as the OpenAPI
 * schemas do. The API server rejects them, and so does TypeScript: each resource is compiled as a literal of the type of its kind.
 */
export function schemaProblems(resources: Resource[]): string[] {
  const known = resources.filter((resource) => modelOf(resource) in MODELS);
  const unknown = resources.filter((resource) => !known.includes(resource));
  return [
    ...unknown.map((resource) => `${nameOf(resource)}: no schema of ${modelOf(resource)}`),
    ...known.flatMap(valueProblems),
    ...typeProblems(known),
  ];
}

function valueProblems(resource: Resource): string[] {
  const Model = MODELS[modelOf(resource)];
  try {
    if (Model) new Model(resource as never).validate();
    return [];
  } catch (error) {
    return [`${nameOf(resource)}: ${(error as Error).message}`];
  }
}

const OPTIONS: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2024,
  lib: ['lib.es2024.d.ts'],
  types: [],
  strict: true,
  noEmit: true,
  skipLibCheck: true,
};

/** One line of the compiled text for each resource. */
function typeProblems(resources: Resource[]): string[] {
  const lines = resources.map(
    (resource, index) =>
      `export const resource${index}: import('kubernetes-models/${modelOf(resource)}').I${resource.kind} = ${JSON.stringify(resource)};`,
  );
  const file = inRepository('tools', 'check', 'manifests.virtual.ts');
  const host = ts.createCompilerHost(OPTIONS);
  const { getSourceFile, fileExists, readFile } = host;
  const text = lines.join('\n');
  host.getSourceFile = (name, options) =>
    name === file ? ts.createSourceFile(name, text, options) : getSourceFile.call(host, name, options);
  host.fileExists = (name) => name === file || fileExists.call(host, name);
  host.readFile = (name) => (name === file ? text : readFile.call(host, name));
  return ts.getPreEmitDiagnostics(ts.createProgram([file], OPTIONS, host)).map(({ start, file: source, messageText }) => {
    const line = source?.getLineAndCharacterOfPosition(start ?? 0).line ?? 0;
    const resource = resources[line];
    return `${resource ? nameOf(resource) : 'manifests'}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
}
