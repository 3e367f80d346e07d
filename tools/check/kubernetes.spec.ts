import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment';
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import type { IIngress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import type { IConfigMap } from 'kubernetes-models/v1/ConfigMap';
import type { IService } from 'kubernetes-models/v1/Service';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { inRepository } from '../repository.ts';
import { all, environmentOf, FOLDERS, one, resources, ROLES, secrets, workload, workloads } from './kubernetes-resources.ts';
import { readKustomization, render, type Resource } from './kustomize.ts';
import { schemaProblems } from './manifest-schemas.ts';

const read = (...names: string[]): string => readFileSync(inRepository(...names), 'utf8');
const deployments = all<IDeployment>('Deployment');

interface Service {
  command?: string[];
  mem_limit: string;
  stop_grace_period?: string;
  profiles?: string[];
}
const { services: compose } = parse(read('docker-compose.yml'), { merge: true }) as { services: Record<string, Service> };

describe('the kustomizations', () => {
  it.each(FOLDERS)('%s lists every file', (folder) => {
    const { resources: listed, configMapGenerator = [] } = readKustomization(folder);
    const used = [...listed, ...configMapGenerator.flatMap(({ envs }) => envs)].filter((name) => !name.startsWith('../'));
    const files = readdirSync(folder).filter((name) => !/^kustomization\.yaml$|\.example\.yaml$/.test(name));
    expect(used.sort()).toEqual(files.sort());
  });

  it('use only fields that these tests render', () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'kustomization-'));
    writeFileSync(path.join(folder, 'kustomization.yaml'), 'kind: Kustomization\nresources: []\nnamePrefix: x-\n');
    expect(() => render(folder)).toThrow('does not implement namePrefix');
    rmSync(folder, { recursive: true });
  });

  it('name each resource once, in one namespace', () => {
    const names = resources.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
    const namespaces = resources.filter(({ kind }) => kind !== 'Namespace').map(({ metadata }) => metadata.namespace);
    expect(new Set([...namespaces, ...secrets.map(({ metadata }) => metadata.namespace)])).toEqual(new Set(['tributary']));
  });

  it('label every resource with its part, by which the documented commands select it', () => {
    for (const { metadata } of resources)
      expect(['shared', ...ROLES], metadata.name).toContain(metadata.labels?.['app.kubernetes.io/component']);
    const operations = read('docs', 'operations.md');
    for (const selector of ['app.kubernetes.io/component in (shared, migrate)', 'app.kubernetes.io/component!=migrate'])
      expect(operations).toContain(`kubectl apply -k . -l '${selector}'`);
  });
});

describe('the schemas of Kubernetes', () => {
  it('accept every resource', () => {
    expect(schemaProblems([...resources, ...secrets])).toEqual([]);
  });

  const api = one<IDeployment>('Deployment', 'tributary-api');
  const text = JSON.stringify(api);
  it.each([
    ['an unknown field', text.replace('"livenessProbe"', '"livenesProbe"'), /livenesProbe"' does not exist/],
    ['a field in the wrong place', text.replace('"maxSurge":1', '"periodSeconds":1'), /periodSeconds"' does not exist/],
    ['a wrong type', text.replace('"runAsUser":1000', '"runAsUser":"1000"'), /runAsUser must be integer/],
    ['a wrong value', text.replace('"RollingUpdate"', '"Rolling"'), /strategy\/type/],
    ['a wrong quantity', text.replace('"768Mi"', '"768 MB"'), /memory must match format "quantity"/],
    ['a missing field', text.replace('"selector"', '"selektor"'), /must have required property selector/],
    ['an unknown version', text.replace('apps/v1', 'apps/v0'), /no schema of apps\/v0\/Deployment/],
  ])('reject %s', (_, changed, problem) => {
    expect(changed).not.toBe(text);
    expect(schemaProblems([JSON.parse(changed) as Resource]).join('\n')).toMatch(problem);
  });
});

interface Selector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}
/** The roles of the pods that a selector matches. */
const selectedBy = ({ matchLabels = {}, matchExpressions = [] }: Selector): string[] =>
  workloads
    .filter(({ labels }) => Object.entries(matchLabels).every(([key, value]) => labels[key] === value))
    .filter(({ labels }) => matchExpressions.every(({ key, values }) => values?.includes(labels[key] ?? '')))
    .map(({ role }) => role)
    .sort();
const portNames = (role: string): (string | undefined)[] => workload(role).container.ports!.map(({ name }) => name);

describe('the parts', () => {
  it('are the roles of docker-compose.yml, with one container each', () => {
    expect(workloads.map(({ role }) => role).sort()).toEqual(
      Object.entries(compose)
        // The demo is not for a cluster.
        .filter(([name, { profiles }]) => name !== 'postgres' && !profiles?.includes('demo'))
        .map(([name]) => name)
        .sort(),
    );
    for (const { pod } of workloads) expect(pod.containers).toHaveLength(1);
  });

  it('select their own pods: deployments, disruption budgets, autoscalers and the service', () => {
    for (const { spec, metadata } of [...deployments, ...all<IPodDisruptionBudget>('PodDisruptionBudget')])
      expect([`tributary-${selectedBy(spec!.selector!).join()}`], metadata.name).toEqual([metadata.name]);
    for (const { spec, metadata } of all<IHorizontalPodAutoscaler>('HorizontalPodAutoscaler'))
      expect(spec!.scaleTargetRef).toEqual({ apiVersion: 'apps/v1', kind: 'Deployment', name: metadata.name });
    const { selector, ports } = one<IService>('Service', 'tributary-api').spec!;
    expect(selectedBy({ matchLabels: selector! })).toEqual(['api']);
    for (const { targetPort } of ports!) expect(portNames('api')).toContain(targetPort);
  });

  it('lead from the host of PUBLIC_URL to the service', () => {
    const { tls, rules } = one<IIngress>('Ingress', 'tributary').spec!;
    const { hostname } = new URL(one<IConfigMap>('ConfigMap', 'tributary-settings').data!.PUBLIC_URL!);
    expect(tls!.flatMap(({ hosts }) => hosts)).toEqual([hostname]);
    expect(rules!.map(({ host }) => host)).toEqual([hostname]);
    const backend = rules![0]!.http!.paths[0]!.backend.service!;
    const { spec } = one<IService>('Service', backend.name);
    expect(spec!.ports!.map(({ name }) => name)).toContain(backend.port!.name);
  });

  it('probe routes of the API on a port that the container has; the worker serves none', () => {
    const { paths } = JSON.parse(read('backend', 'openapi.json')) as { paths: Record<string, unknown> };
    const { startupProbe, readinessProbe, livenessProbe } = workload('api').container;
    for (const probe of [startupProbe, readinessProbe, livenessProbe]) {
      expect(Object.keys(paths)).toContain(probe!.httpGet!.path);
      expect(portNames('api')).toContain(probe!.httpGet!.port);
    }
    // Liveness must not depend on the database: its outage would restart all processes.
    expect([livenessProbe, startupProbe, readinessProbe].map((probe) => probe!.httpGet!.path)).toEqual([
      '/healthz',
      '/healthz',
      '/readyz',
    ]);
    expect(Object.keys(workload('worker').container).filter((field) => field.endsWith('Probe'))).toEqual([]);
  });
});

describe('every container', () => {
  it.each(ROLES)('%s has no privileges, a read-only file system and no token of the cluster', (role) => {
    const { pod, container } = workload(role);
    // The image's user node has the id 1000.
    expect(pod.securityContext).toEqual({
      ...{ runAsNonRoot: true, runAsUser: 1000, runAsGroup: 1000, fsGroup: 1000 },
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(container.securityContext).toEqual({
      ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
      capabilities: { drop: ['ALL'] },
    });
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      serviceAccountName: 'tributary',
    });
    expect(JSON.stringify(pod)).not.toMatch(/host(Path|Network|PID|IPC|Port)|privileged/);
    expect(one('ServiceAccount', 'tributary').automountServiceAccountToken).toBe(false);
  });

  it.each(ROLES)('%s writes only to /tmp, which has a limit; Secrets are read-only', (role) => {
    const { pod, container } = workload(role);
    const volume = (name: string) => pod.volumes!.find((each) => each.name === name)!;
    const writable = container.volumeMounts!.filter(({ readOnly }) => !readOnly);
    expect(writable.map(({ mountPath }) => mountPath)).toEqual(['/tmp']);
    expect(volume(writable[0]!.name).emptyDir).toEqual({ medium: 'Memory', sizeLimit: '64Mi' });
    expect(compose[role]).toMatchObject({ tmpfs: [expect.stringContaining('size=64m')] });
    for (const { name } of container.volumeMounts!.filter(({ readOnly }) => readOnly))
      expect(volume(name).secret).toMatchObject({ defaultMode: 0o440 });
  });

  it.each(ROLES)('%s has the command and the memory of docker-compose.yml', (role) => {
    const { container } = workload(role);
    expect(container.args).toEqual(compose[role]!.command);
    expect(container.resources!.limits!.memory).toBe(compose[role]!.mem_limit.replace(/m$/, 'Mi'));
    for (const name of ['cpu', 'memory', 'ephemeral-storage']) expect(container.resources!.requests).toHaveProperty([name]);
  });

  it('uses an image with a version', () => {
    const images = workloads.map(({ container }) => container.image);
    expect(new Set(images).size).toBe(1);
    expect(images[0]).toMatch(/^[\w./-]+:(?!latest$)[\w.-]+$/);
  });
});

describe('an update', () => {
  const [api, worker] = ['tributary-api', 'tributary-worker'].map((name) => one<IDeployment>('Deployment', name).spec!);
  const rolling = (spec: typeof api) => spec!.strategy!.rollingUpdate! as { maxSurge: number; maxUnavailable: number };

  it('replaces an API pod after the new one is ready, and gives the old one time to finish its requests', () => {
    expect(rolling(api)).toEqual({ maxSurge: 1, maxUnavailable: 0 });
    const { pod, container } = workload('api');
    const { periodSeconds, failureThreshold } = container.readinessProbe!;
    const delay = Number(environmentOf('api').SHUTDOWN_DELAY_SECONDS);
    const grace = /GRACE_MS = ([\d_]+)/.exec(read('backend', 'src', 'core', 'http', 'http-shutdown.ts'))![1]!.replaceAll('_', '');
    expect(delay).toBeGreaterThan(periodSeconds! * failureThreshold!);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(delay + Number(grace) / 1000);
  });

  it('gives a worker as much time as docker-compose.yml', () => {
    expect(`${workload('worker').pod.terminationGracePeriodSeconds}s`).toBe(compose.worker!.stop_grace_period);
  });

  it('does not reset the number of pods that an autoscaler has set', () => {
    for (const spec of [api, worker]) expect(spec).not.toHaveProperty('replicas');
  });
});

describe('the autoscalers', () => {
  it('start with two pods of each role, of which one may be drained', () => {
    for (const { spec } of all<IHorizontalPodAutoscaler>('HorizontalPodAutoscaler')) expect(spec!.minReplicas).toBe(2);
    for (const { spec } of all<IPodDisruptionBudget>('PodDisruptionBudget')) expect(spec!.maxUnavailable).toBe(1);
  });

  it('of workers uses a metric of the product, below the age that raises an alert', () => {
    const { metric, target } = one<IHorizontalPodAutoscaler>('HorizontalPodAutoscaler', 'tributary-worker').spec!.metrics![0]!
      .external!;
    expect(read('backend', 'src', 'core', 'jobs', 'queue-metrics.ts')).toContain(`name: '${metric.name}'`);
    const alert = new RegExp(`max\\(${metric.name}\\) > (\\d+)`).exec(read('deploy', 'monitoring', 'prometheus-alerts.yml'))![1];
    expect(Number(target.value)).toBeLessThan(Number(alert));
  });
});

describe('the network policies', () => {
  const policies = all<INetworkPolicy>('NetworkPolicy').map(({ spec }) => spec!);

  it('deny every connection of every pod by default', () => {
    const first = one<INetworkPolicy>('NetworkPolicy', 'tributary').spec!;
    expect(first).toMatchObject({ policyTypes: ['Ingress', 'Egress'] });
    expect(first).not.toHaveProperty('ingress');
    expect(selectedBy(first.podSelector!)).toEqual([...ROLES].sort());
  });

  it.each([
    ['api', [53, 443, 5432]],
    ['worker', [53, 443, 465, 587, 5432]],
    ['migrate', [53, 5432]],
  ])('let %s connect only to the ports %j', (role, expected) => {
    const rules = policies
      .filter(({ podSelector }) => selectedBy(podSelector!).includes(role))
      .flatMap(({ egress = [] }) => egress);
    const ports = new Set(rules.flatMap((rule) => rule.ports!.map(({ port }) => Number(port))));
    expect([...ports].sort((a, b) => a - b)).toEqual(expected);
  });

  it('accept only what labeled namespaces send, to ports that the pods have', () => {
    const rules = policies.flatMap(({ podSelector, ingress = [] }) =>
      ingress.map((rule) => ({ ...rule, roles: selectedBy(podSelector!) })),
    );
    const accepted = rules.flatMap(({ roles, ports, from }) =>
      roles.flatMap((role) => ports!.map(({ port }) => [role, port, Object.keys(from![0]!.namespaceSelector!.matchLabels!)[0]])),
    );
    expect(accepted.sort()).toEqual([
      ['api', 'http', 'tributary/ingress'],
      ['api', 'metrics', 'tributary/metrics'],
      ['worker', 'metrics', 'tributary/metrics'],
    ]);
    for (const [role, port] of accepted) expect(portNames(String(role))).toContain(port);
  });

  it('keep pods from the addresses where clouds serve credentials, and https from private networks', () => {
    const rules = policies.flatMap(({ egress = [] }) => egress).filter(({ to }) => to);
    expect(rules.length).toBe(2);
    for (const { to, ports } of rules) {
      expect(to![0]!.ipBlock!.except).toContain('169.254.0.0/16');
      if (ports![0]!.port === 443)
        expect(to![0]!.ipBlock!.except).toEqual(expect.arrayContaining(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16']));
    }
  });
});
