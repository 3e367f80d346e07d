import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AccessGuard } from './access.guard.js';
import { PublicController } from './public.controller.js';
import { AccessQueries } from './access.queries.js';
import { TokenVerifier } from './token-verifier.js';

@Module({
  controllers: [PublicController],
  providers: [TokenVerifier, AccessQueries, { provide: APP_GUARD, useClass: AccessGuard }],
})
export class AccessModule {}
