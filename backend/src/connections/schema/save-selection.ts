import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SelectionWriter, type SaveSelection } from '../../sync/index.js';

// SQL: runs in a transaction without Prisma (`TenantDatabase.together`).

/** Stores what a run decided to write from now on, by the schema policy of the connection. */
@Injectable()
export class SaveSelectionOfRun implements OnModuleInit {
  constructor(private readonly writer: SelectionWriter) {}

  onModuleInit(): void {
    this.writer.register(saveSelection);
  }
}

/** A new version, so that a form opened before cannot overwrite the change. */
const saveSelection: SaveSelection = async (query, connectionId, selection, isPaused) => {
  await query(
    `update connections set streams = $3, left_out = $4, version = version + 1, updated_at = now(),
            desired = case when $5 then 'paused' else desired end,
            paused_at = case when $5 then now() else paused_at end, paused_by = case when $5 then null else paused_by end,
            paused_reason = case when $5 then 'schema_change' else paused_reason end
      where organization_id = $1 and id = $2`,
    [connectionId, selection.streams, JSON.stringify(selection.leftOut), isPaused],
  );
};
