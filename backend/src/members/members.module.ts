import { Module } from '@nestjs/common';
import { UsersModule } from '../users/index.js';
import { MembersController } from './members.controller.js';
import { MembersQueries } from './members.queries.js';
import { MembersService } from './members.service.js';
import { TeamController } from './team.controller.js';

@Module({ imports: [UsersModule], controllers: [MembersController, TeamController], providers: [MembersService, MembersQueries] })
export class MembersModule {}
