import { expect, it } from 'vitest';
import type { ConversionEvent, IdentifierField, Preparation } from '../../../src/connectors/kit/conversion.js';
import type { ConversionTraits } from '../../../src/connectors/kit/conversion-target.js';
import { prepareGoogleEvent } from '../../../src/connectors/google-data-manager/event.js';
import { traits as googleTraits } from '../../../src/connectors/google-data-manager/traits.js';
import { checkUploadable, toClickConversion } from '../../../src/connectors/google-data-manager/upload/click-conversion.js';
import { uploadTraits } from '../../../src/connectors/google-data-manager/upload/traits.js';
import { prepareMetaEvent } from '../../../src/connectors/meta-conversions/event.js';
import { traits as metaTraits } from '../../../src/connectors/meta-conversions/traits.js';
import { prepareOfflineEvent } from '../../../src/connectors/microsoft-conversions/offline-event.js';
import { offlineTraitsOf, uetTraits } from '../../../src/connectors/microsoft-conversions/traits.js';
import { prepareUetEvent } from '../../../src/connectors/microsoft-conversions/uet-event.js';
import { anEvent, NOW, policy } from './conversion-events.js';

const action = { accountId: '1234567890', loginAccountId: null, conversionActionId: '987', transactionIdPrefix: 'ord-' };
const dataset = { datasetId: '1', eventName: 'Purchase', testEventCode: null };
const goal = (hasEnhancedConversions: boolean) => ({ windowDays: 30, hasEnhancedConversions });

const uploaded = (event: ConversionEvent): unknown => {
  const prepared = checkUploadable(prepareGoogleEvent(event, policy, action, NOW));
  return prepared.state === 'eligible' ? toClickConversion(action, prepared.payload) : null;
};
const payloadOf = (prepared: Preparation): unknown => (prepared.state === 'eligible' ? prepared.payload : null);

const targets: [string, ConversionTraits, (event: ConversionEvent) => unknown][] = [
  ['Google', googleTraits, (event) => payloadOf(prepareGoogleEvent(event, policy, action, NOW))],
  ['Google click uploads', uploadTraits, uploaded],
  ['Meta', metaTraits, (event) => payloadOf(prepareMetaEvent(event, policy, dataset, NOW))],
  ['Microsoft offline', offlineTraitsOf(goal(true)), (event) => payloadOf(prepareOfflineEvent(event, policy, goal(true), NOW))],
  [
    'Microsoft offline without enhanced conversions',
    offlineTraitsOf(goal(false)),
    (event) => payloadOf(prepareOfflineEvent(event, policy, goal(false), NOW)),
  ],
  ['Microsoft UET', uetTraits, (event) => payloadOf(prepareUetEvent(event, policy, NOW))],
];

const person: Partial<Record<IdentifierField, string>> = {
  ...{ email: 'jane@example.com', phone: '+493012345678', firstName: 'Jane', lastName: 'Doe', gender: 'f' },
  ...{ dateOfBirth: '1997-02-16', city: 'Berlin', state: 'BE', postalCode: '10115', country: 'DE', externalId: 'c-1' },
  ...{ anonymousId: 'visitor-1', ipAddress: '203.0.113.7', userAgent: 'Mozilla/5.0', fbp: 'fb.1.1700000000000.123' },
};
/** A platform takes only one click id of an event. */
const clicks: Partial<Record<IdentifierField, string>> = {
  ...{ gclid: 'click-1', gbraid: 'click-2', wbraid: 'click-3', fbclid: 'click-4', fbc: 'fb.1.1700000000000.click-5' },
  msclkid: '0123456789abcdef0123456789abcdef',
};

it.each(targets)('%s sends the identifiers that it declares, and no others', (_, { identifiers }, payloadFor) => {
  const basis = { msclkid: clicks.msclkid!, gclid: clicks.gclid!, email: person.email! };
  const send = (given: Partial<Record<IdentifierField, string>>) => JSON.stringify(payloadFor(anEvent({ identifiers: given })));
  const isSent = (field: IdentifierField): boolean => {
    if (field in person) {
      const { [field]: _removed, ...others } = { ...basis, ...person };
      return send({ ...basis, ...person }) !== send(others);
    }
    return send({ email: person.email!, [field]: clicks[field]! }) !== send({ email: person.email! });
  };
  const fields = [...Object.keys(person), ...Object.keys(clicks)] as IdentifierField[];
  expect(fields.filter(isSent).toSorted()).toEqual([...identifiers].toSorted());
});
