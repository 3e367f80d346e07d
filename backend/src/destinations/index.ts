/** What other modules may use of `destinations`. */
export { parseSettings } from './destination-settings.js';
export { DestinationsModule } from './destinations.module.js';
export { DestinationsService } from './destinations.service.js';
