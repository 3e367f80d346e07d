import { Module } from '@nestjs/common';
import { AccessModule } from '../access/index.js';
import { ApplyAccountState } from './apply-account-state.js';
import { LookUpAccounts } from './look-up-accounts.js';
import { ReconcileAccounts } from './reconcile-accounts.js';
import { RevokeAccess } from './revoke-access.service.js';
import { StaffUsersController } from './staff-users.controller.js';
import { StaffUsers } from './staff-users.service.js';
import { StoreActivity } from './store-activity.js';
import { UserAccess } from './user-access.service.js';
import { UsersController } from './users.controller.js';
import { UsersQueries } from './users.queries.js';
import { UsersService } from './users.service.js';

@Module({
  imports: [AccessModule],
  controllers: [UsersController, StaffUsersController],
  providers: [
    UsersService,
    UsersQueries,
    UserAccess,
    ApplyAccountState,
    LookUpAccounts,
    ReconcileAccounts,
    RevokeAccess,
    StaffUsers,
    StoreActivity,
  ],
  exports: [RevokeAccess, UserAccess],
})
export class UsersModule {}
