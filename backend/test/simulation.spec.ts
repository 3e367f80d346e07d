import { describe, expect, it } from 'vitest';
import { delaysOfOrganizations, quantile, summarize, worstOf } from '../bench/simulation/delays.js';
import { describeFirstLimit, type Usage } from '../bench/simulation/first-limit.js';
import { organizationSizes, sizeClassOf } from '../bench/simulation/sizes.js';

const idle: Usage = {
  cores: 4,
  busyCores: 1,
  coresOf: { workers: 0.6, 'API processes': 0.1, 'other programs': 0.3 },
  busiestWorker: 0.3,
  connections: { most: 40, allowed: 100 },
  slots: { busy: 3, total: 12 },
};

describe('the sizes of the simulated organizations', () => {
  it('add up to the number of connections, and each has at least one', () => {
    for (const [connections, organizations] of [
      [20_000, 500],
      [12, 3],
      [7, 7],
    ] as const) {
      const sizes = organizationSizes(connections, organizations);
      expect(sizes).toHaveLength(organizations);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(connections);
      expect(Math.min(...sizes)).toBeGreaterThan(0);
    }
  });

  it('are mostly small, with few large ones', () => {
    const classes = organizationSizes(20_000, 500).map((size) => sizeClassOf(size, 40));
    const count = (wanted: string) => classes.filter((one) => one === wanted).length;
    expect(count('small')).toBeGreaterThan(350);
    expect(count('large')).toBeGreaterThan(0);
    expect(count('large')).toBeLessThan(25);
  });

  it('need at least one connection for each organization', () => {
    expect(() => organizationSizes(2, 3)).toThrow('at least as many connections');
  });
});

describe('the summary of start delays', () => {
  it('names values that occurred', () => {
    const values = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(summarize(values)).toEqual({ p50: 50, p95: 95, max: 100 });
    expect(summarize([3])).toEqual({ p50: 3, p95: 3, max: 3 });
    expect(quantile([], 0.5)).toBe(0);
  });

  it('gives each organization the median and the longest delay of its runs', () => {
    const started = [1, 2, 9].map((delay) => ({ organizationId: 'a', delay }));
    const delays = delaysOfOrganizations([...started, { organizationId: 'b', delay: 4 }], new Map([['a', 3], ['b', 1]])); // prettier-ignore
    expect(delays).toEqual([
      { organizationId: 'a', connections: 3, median: 2, longest: 9 },
      { organizationId: 'b', connections: 1, median: 4, longest: 4 },
    ]);
  });

  it('lists the five organizations with the longest medians', () => {
    const started = Array.from({ length: 8 }, (_, index) => ({ organizationId: String(index), delay: index }));
    const worst = worstOf(delaysOfOrganizations(started, new Map()));
    expect(worst.map(({ organizationId }) => organizationId)).toEqual(['7', '6', '5', '4', '3']);
  });
});

describe('the first limit', () => {
  it('is none while every resource has a reserve, and the most used one is named', () => {
    expect(describeFirstLimit(idle, 0)).toBe(
      'No limit is reached; the most used is the connections of the database: 40 % (40 of 100).',
    );
  });

  it('is the processor of the workers when one of them uses its thread, although the machine has free cores', () => {
    expect(describeFirstLimit({ ...idle, busiestWorker: 0.95 }, 0)).toContain('is the processor of the workers: 95 %');
  });

  it('is the processor of the machine, with the parts that use most of it', () => {
    const coresOf = { workers: 0.9, "sessions of the product's database": 2.1 };
    const text = describeFirstLimit({ ...idle, busyCores: 3.9, coresOf }, 0);
    expect(text).toContain("which the sessions of the product's database use most: 98 %");
    expect(text).toContain("3.90 of 4 cores in use: 2.10 by the sessions of the product's database, 0.90 by the workers");
  });

  it('is a cause and not the full slots that follow from it', () => {
    const slots = { busy: 12, total: 12 };
    expect(describeFirstLimit({ ...idle, slots, busyCores: 3.9 }, 500)).toContain('processor');
    expect(describeFirstLimit({ ...idle, slots, connections: { most: 95, allowed: 100 } }, 500)).toContain('connections');
    expect(describeFirstLimit({ ...idle, slots }, 500)).toContain('is the slots of the workers: 100 % (12.0 of 12)');
  });

  it('is unknown when runs are late and no resource is exhausted', () => {
    expect(describeFirstLimit(idle, 500)).toContain('No measured resource is exhausted, although 500 runs had not started');
  });
});
