import { ConnectorError } from '../../connectors/kit/errors.js';

/** There are no days to load yet: the run is skipped, which is neither a success nor a failure. */
export class NothingToLoad extends ConnectorError {
  readonly failureClass = 'config';
}

/** Another run has loaded the days in the meantime. */
export const allLoaded = (): NothingToLoad =>
  new NothingToLoad({
    code: 'sync.all_loaded',
    message: 'All of these days are loaded already.',
    action: 'No action needed',
  });

export const notStarted = (historyFrom: string): NothingToLoad =>
  new NothingToLoad({
    code: 'sync.nothing_yet',
    message: `History begins on ${historyFrom}. There is no data to load yet.`,
    action: 'Wait for that day, or choose an earlier one',
  });

export const noLongerAvailable = (providerName: string, first: string): NothingToLoad =>
  new NothingToLoad({
    code: 'sync.no_longer_available',
    message: `${providerName} no longer has daily data before ${first}, so none of these days can be loaded.`,
    action: 'No action needed',
  });
