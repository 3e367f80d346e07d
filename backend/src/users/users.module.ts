import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.js';
import { UsersController } from './users.controller.js';
import { UsersQueries } from './users.queries.js';
import { UsersService } from './users.service.js';

@Module({ imports: [AccessModule], controllers: [UsersController], providers: [UsersService, UsersQueries] })
export class UsersModule {}
