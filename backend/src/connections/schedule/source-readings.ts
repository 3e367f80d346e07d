import { createHash } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';
import type { CheckItem } from '../../connectors/kit/contract.js';
import { Database } from '../../core/database/database.js';
import { jsonColumn } from '../../core/database/json-column.js';
import { defineScheduledJob } from '../../core/jobs/define-job.js';
import { Jobs } from '../../core/jobs/jobs.js';
import { SingleFlight } from '../../core/jobs/single-flight.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import type { Estimate } from '../estimate.dto.js';
import type { StreamVolume } from '../cost-of-connection.js';

// SQL: stores a reading in one statement (upsert), because several connections may do so at the same time.

const forgetSourceReadings = defineScheduledJob('forget-source-readings', 'every-minute');

const CACHE_MINUTES = 10;

/** Data that an estimate has read at the platform. Costs are computed from it without another request. */
export interface SourceReading {
  lookbackDays: number;
  volumes: StreamVolume[];
  sample: Estimate['sample'];
  answered: CheckItem;
  readAt: string;
}

const readingColumn = jsonColumn<SourceReading>(
  z.object({
    lookbackDays: z.number(),
    volumes: z.array(z.object({ rowsPerDay: z.number(), callsPerSlice: z.number() })),
    sample: z.object({ stream: z.string(), columns: z.array(z.string()), rows: z.array(z.array(z.string().nullable())) }),
    answered: z.object({
      code: z.string(),
      label: z.string(),
      state: z.enum(['passed', 'failed', 'skipped']),
      detail: z.string().nullable(),
      action: z.string().nullable(),
      isWarning: z.boolean().exactOptional(),
      durationMs: z.number(),
    }),
    readAt: z.string(),
  }),
);

/** Readings of the last ten minutes. The daily budget of requests limits their number. */
@Injectable()
export class SourceReadings implements OnModuleInit {
  private readonly active = new SingleFlight<SourceReading>();

  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(forgetSourceReadings, () => this.deleteOld());
  }

  /** `question`: everything that the reading depends on. A failed reading is not stored. */
  getOrRead(organizationId: string, question: object, read: () => Promise<SourceReading>): Promise<SourceReading> {
    const key = createHash('sha256').update(JSON.stringify(question)).digest('hex');
    return this.active.share(`${organizationId} ${key}`, async () => {
      const found = await this.find(organizationId, key);
      if (found) return found;
      const reading = await read();
      await this.save(organizationId, key, reading);
      return reading;
    });
  }

  private async find(organizationId: string, key: string): Promise<SourceReading | null> {
    const where = { key, expiresAt: { gt: new Date() } };
    const row = await this.tenants.of(organizationId).sourceReading.findFirst({ where });
    return row && readingColumn.read(row.reading);
  }

  private async save(organizationId: string, key: string, reading: SourceReading): Promise<void> {
    await this.tenants.query(
      organizationId,
      `insert into source_readings (organization_id, key, reading, expires_at) values ($1, $2, $3, now() + make_interval(mins => $4))
       on conflict (organization_id, key) do update set reading = excluded.reading, expires_at = excluded.expires_at`,
      [key, JSON.stringify(reading), CACHE_MINUTES],
    );
  }

  /** Over all organizations: it only goes by age. */
  async deleteOld(): Promise<void> {
    await this.database.prisma.sourceReading.deleteMany({ where: { expiresAt: { lt: new Date() } } });
  }
}
