import { Module } from '@nestjs/common';
import { ConnectionsModule } from '../connections/index.js';
import { SyncModule } from '../sync/index.js';
import { DemoController } from './demo.controller.js';
import { DemoService } from './demo.service.js';
import { SandboxFaults } from './sandbox-faults.js';

@Module({ imports: [ConnectionsModule, SyncModule], controllers: [DemoController], providers: [DemoService, SandboxFaults] })
export class DemoModule {}
