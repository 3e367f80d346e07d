import { Injectable } from '@nestjs/common';
import type { Identity } from '../access/access.decorator.js';
import { Database } from '../platform/database.js';
import { newId } from '../platform/identifiers.js';
import { notFound } from '../platform/problem.js';
import type { CreateOrganizationBody } from './organizations.dto.js';

@Injectable()
export class OrganizationsService {
  constructor(private readonly database: Database) {}

  /** Makes the organization with the caller as its owner. */
  async create(identity: Identity, body: CreateOrganizationBody): Promise<string> {
    const user = await this.database.prisma.user.findUnique({ where: { uid: identity.uid }, select: { uid: true } });
    if (!user) throw notFound('The user');
    const id = newId();
    await this.database.prisma.organization.create({
      data: {
        id,
        name: body.companyName,
        logo: body.company_logo ?? null,
        createdBy: identity.uid,
        members: { create: { userId: identity.uid, role: 'owner', isDefault: body.isDefault ?? false } },
      },
    });
    return id;
  }
}
