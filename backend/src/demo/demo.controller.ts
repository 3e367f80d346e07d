import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public } from '../access/index.js';
import { Answers } from '../core/api-docs/answers.decorator.js';
import { DemoFaultBody, DemoTour } from './demo.dto.js';
import { DemoService } from './demo.service.js';

/** The public tour of a demo instance. Other instances return 404. */
@ApiTags('Demo')
@Controller('api/v1/demo')
export class DemoController {
  constructor(private readonly demo: DemoService) {}

  /** Returns the connection of the tour and its last runs. */
  @Get()
  @Public()
  @Answers('demo.off', 'provider.unavailable')
  getDemoTour(): Promise<DemoTour> {
    return this.demo.getTour();
  }

  /** Causes a fault at the sandbox and starts a run that meets it. */
  @Post('faults')
  @HttpCode(202)
  @Public()
  @Answers('demo.off', 'demo.busy', 'connection.paused', 'provider.unavailable')
  async causeDemoFault(@Body() { name }: DemoFaultBody): Promise<DemoTour> {
    await this.demo.causeFault(name);
    return this.demo.getTour();
  }

  /** Stops the loss of rows and starts a run that loads the missing rows. */
  @Post('repair')
  @HttpCode(202)
  @Public()
  @Answers('demo.off', 'demo.busy', 'connection.paused', 'provider.unavailable')
  async repairDemo(): Promise<DemoTour> {
    await this.demo.repair();
    return this.demo.getTour();
  }
}
