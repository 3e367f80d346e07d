import { z } from 'zod';
import { defineJob } from '../../core/jobs/define-job.js';

export const runConversion = defineJob('run-conversion', z.object({ organizationId: z.uuid(), conversionId: z.uuid() }), {
  slots: 'conversions',
});
