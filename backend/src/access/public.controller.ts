import { Controller, Get, Header, Inject } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { BUILD } from '../core/config/build.js';
import { isBilled } from './entitlement.js';
import { Answers } from '../core/api-docs/answers.decorator.js';
import { ENV, type Env } from '../core/config/env.js';
import { HttpShutdown } from '../core/http/http-shutdown.js';
import { Problem } from '../core/http/problem.js';
import { Public } from './access.decorator.js';
import { AccessQueries } from './access.queries.js';
import { Policy } from './policy.dto.js';
import { type Permission, PERSON_ONLY, POLICY, ROLES } from './policy.js';
import { PublicConfig, Status } from './public.dto.js';

/** Of the ping and of pg. Any other error, such as a refused connection, arrives at once. */
const TIMEOUT = /no response within|timeout|ETIMEDOUT/;
const ACTION = 'Check that PostgreSQL runs and that DATABASE_URL is correct';

function databaseUnavailable(cause: unknown): Problem {
  const isLate = cause instanceof Error && TIMEOUT.test(cause.message);
  const detail = isLate ? 'The database did not respond in time.' : 'The database is not reachable.';
  return new Problem('database.unavailable', { detail, action: ACTION }, { cause });
}

/** Public endpoints: health checks and the sign-in configuration. */
@ApiTags('Operations')
@Controller()
export class PublicController {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly queries: AccessQueries,
    private readonly shutdown: HttpShutdown,
  ) {}

  /** Public runtime settings of the web app. */
  @Get('config.json')
  @Header('Cache-Control', 'no-store')
  @Public()
  getPublicConfig(): PublicConfig {
    const { env } = this;
    const isDemo = env.IS_DEMO;
    return {
      productName: 'Tributary',
      firebase: { apiKey: env.FIREBASE_API_KEY, authDomain: env.FIREBASE_AUTH_DOMAIN, projectId: env.FIREBASE_PROJECT_ID },
      authEmulatorUrl: env.FIREBASE_AUTH_EMULATOR_HOST ? `http://${env.FIREBASE_AUTH_EMULATOR_HOST}` : null,
      isDemo,
      demo: isDemo && env.DEMO_EMAIL && env.DEMO_PASSWORD ? { email: env.DEMO_EMAIL, password: env.DEMO_PASSWORD } : null,
      demoWarehouseUrl: isDemo ? (env.DEMO_WAREHOUSE_URL ?? null) : null,
      demoStripeKey: isDemo ? (env.DEMO_STRIPE_KEY ?? null) : null,
      sandboxUrl: isDemo ? (env.SANDBOX_URL ?? null) : null,
      mailUrl: isDemo ? (env.MAIL_URL ?? null) : null,
      billing: { isOn: isBilled(env), apiBase: env.BILLING_API_BASE ?? '' },
      intercom: env.INTERCOM_APP_ID ? { appId: env.INTERCOM_APP_ID, apiBase: env.INTERCOM_API_BASE } : null,
      supportUrl: env.SUPPORT_URL ?? null,
      readCacheBytes: env.READ_CACHE_BYTES,
      build: BUILD,
    };
  }

  /** The lowest role for each permission, and whether it requires a person. */
  @Get('api/v1/policy')
  @Public()
  getPolicy(): Policy {
    const names = Object.keys(POLICY) as Permission[];
    return {
      roles: [...ROLES],
      permissions: names.map((name) => ({ name, role: POLICY[name], takesPerson: PERSON_ONLY.has(name) })),
    };
  }

  /** Liveness: whether the process runs. */
  @Get('healthz')
  @Public()
  getHealth(): Status {
    return { status: 'ok' };
  }

  /** Readiness: whether the database responds, and the process is not shutting down. */
  @Get('readyz')
  @Public()
  @Answers('server.stopping')
  async getReadiness(): Promise<Status> {
    if (this.shutdown.isStopping)
      throw new Problem('server.stopping', {
        detail: 'This process is shutting down.',
        action: 'Send requests to another process',
      });
    await this.queries.ping().catch((error: unknown) => {
      throw databaseUnavailable(error);
    });
    return { status: 'ok' };
  }
}
