import { ConnectorError } from '../../connectors/kit/errors.js';

/** The source changed and the policy pauses the connection. The run is skipped, which is neither a success nor a failure. */
export class DecisionNeeded extends ConnectorError {
  static readonly code = 'sync.schema_changed';
  readonly failureClass = 'schema';

  constructor() {
    super({
      code: DecisionNeeded.code,
      message: 'The source changed, so the connection is paused. Nothing was loaded.',
      action: 'Approve or ignore the schema changes of the connection',
    });
  }
}
