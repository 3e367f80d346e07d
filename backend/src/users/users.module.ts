import { Module } from '@nestjs/common';
import { RevokeAccess } from './revoke-access.service.js';
import { UsersController } from './users.controller.js';
import { UsersQueries } from './users.queries.js';
import { UsersService } from './users.service.js';

@Module({ controllers: [UsersController], providers: [UsersService, UsersQueries, RevokeAccess], exports: [RevokeAccess] })
export class UsersModule {}
