/** What a notification says, for all kinds of receivers. */
export interface Message {
  /** Type of the event: alert.opened, alert.recovered, freshness.complete, freshness.late, freshness.recovered, weekly.summary or webhook.test. */
  type: string;
  title: string;
  /** Further lines for people. */
  lines: string[];
  /** Page in the web app. */
  url: string;
  /** For programs. */
  data: object;
  /** Messages of one sequence are sent to a receiver in the order in which they were stored. */
  sequence?: string;
}

/** Slack's control characters in text: https://docs.slack.dev/messaging/formatting-message-text */
const escapeSlack = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export const slackPayload = ({ title, lines, url }: Message): object => ({
  text: [`*${escapeSlack(title)}*`, ...lines.map(escapeSlack), `<${url}|Open in Tributary>`].join('\n'),
});

export const signedPayload = ({ type, title, url, data }: Message, id: string, organizationId: string, at: Date): object => ({
  id,
  type,
  createdAt: at.toISOString(),
  organizationId,
  data: { title, url, ...data },
});
