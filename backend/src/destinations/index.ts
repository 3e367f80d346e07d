/** What other modules may use of `destinations`. */
export { DestinationChanges } from './destination-changes.service.js';
export { DestinationsModule } from './destinations.module.js';
export { DestinationsService } from './destinations.service.js';
