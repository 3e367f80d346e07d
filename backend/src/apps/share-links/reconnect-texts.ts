import type { CatchUpCount } from '../app-use.dto.js';
import type { PageContent } from './reconnect-page.js';
import type { ShareLink } from './share-links.queries.js';
import { plural } from '../../connectors/kit/plural.js';

/** The reader's time zone is unknown, as the page runs no script. */
const validUntil = new Intl.DateTimeFormat('en-US', {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
});

export function invitationPage(link: ShareLink, platform: string, start: string): PageContent {
  const requester = link.askedBy || link.askedByEmail || `A member of ${link.organizationName}`;
  return {
    heading: `Reconnect ${link.appName}`,
    paragraphs: [
      `${requester} of ${link.organizationName} requests that you sign in to ${platform}, so that its data continues to arrive.`,
      'You do not need an account. The link works once and only reconnects this app.',
    ],
    facts: [
      ['Requested by', link.askedByEmail && link.askedBy ? `${link.askedBy}, ${link.askedByEmail}` : requester],
      ['Organization', link.organizationName],
      ['App', link.appName],
      ...(link.externalUser ? [['Sign in as', link.externalUser] satisfies [string, string]] : []),
      ['Valid until', `${validUntil.format(link.expiresAt)} UTC`],
    ],
    button: { text: `Sign in with ${platform}`, href: start },
  };
}

export function reconnectedPage(link: ShareLink, platform: string, { connections, days }: CatchUpCount): PageContent {
  const resumed =
    connections === 0
      ? 'No connection uses it.'
      : `${plural(connections, 'connection')} ${connections === 1 ? 'resumes' : 'resume'} automatically${days > 0 ? ` and ${connections === 1 ? 'loads' : 'load'} up to ${plural(days, 'missed day')}` : ''}.`;
  return {
    heading: `${link.appName} is connected again`,
    paragraphs: [`Thank you. ${link.organizationName} is connected to ${platform} again. ${resumed}`, 'You can close this page.'],
    tone: 'good',
  };
}
