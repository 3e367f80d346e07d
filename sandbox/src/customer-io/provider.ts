import type { Provider } from '../provider.ts';
import { sendJson, type Exchange } from '../router.ts';
import { customerIoFaults } from './faults.ts';
import { Messages } from './messages.ts';
import { customerIoRoutes } from './routes.ts';

export const customerIo: Provider = {
  name: 'customer-io',
  title: 'Customer.io',
  faults: customerIoFaults,
  open({ faults, dataDir }) {
    const messages = new Messages(dataDir);
    const path = /^\/admin\/customer-io\/messages$/;
    return {
      routes: [
        ...customerIoRoutes(faults, messages),
        { method: 'GET', path, answer: (exchange) => sendMessages(messages, exchange) },
        {
          method: 'DELETE',
          path,
          answer: ({ response }) => {
            messages.clear();
            sendJson(response, 200, {});
          },
        },
      ],
      description,
    };
  },
};

const description = `<p><code>/customer-io/api/v1/…</code> with any site id and key (the key <code>wrong</code> is rejected) · <a href="/admin/customer-io/messages">what arrived</a></p>`;

function sendMessages(messages: Messages, { response, url }: Exchange): void {
  const [customerId, name] = ['customerId', 'name'].map((parameter) => url.searchParams.get(parameter));
  const found = messages.messages.filter(
    (message) => (!customerId || message.customerId === customerId) && (!name || message.name === name),
  );
  sendJson(response, 200, { messages: found, people: messages.people() });
}
