import { type ArgumentsHost, Catch, Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { Problem, PROBLEMS } from '../../core/http/problem.js';
import { ProblemFilter } from '../../core/http/problem-filter.js';
import { LOGGER } from '../../core/observability/logger.js';
import { ReconnectPage } from './reconnect-page.js';

/** Browsers get an error page with an action; other clients get the usual problem JSON. */
@Catch()
@Injectable()
export class ReconnectPageFilter extends ProblemFilter {
  // The logger comes first, as in the base class: Nest inherits what @Inject says of a parameter by its position.
  constructor(
    @Inject(LOGGER) logger: Logger,
    private readonly page: ReconnectPage,
  ) {
    super(logger);
  }

  override catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    if (!(error instanceof Problem) || !(request.headers.accept ?? '').includes('text/html')) {
      super.catch(error, host);
      return;
    }
    const { detail, action } = error.problem;
    const { status, title } = PROBLEMS[error.code];
    host
      .switchToHttp()
      .getResponse<Response>()
      .status(status)
      .set(this.page.headers)
      .send(
        this.page.render({
          heading: headingOf(error, title),
          paragraphs: [detail, ...(action ? [`${action}.`] : [])],
          tone: 'danger',
        }),
      );
  }
}

const headingOf = ({ code }: Problem, title: string): string => (code === 'not_found' ? 'This link does not work' : title);
