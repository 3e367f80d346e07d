import { expect, test } from 'vitest';
import { targetAfterCheckout } from './after-checkout';

const A = '0198f3a2-7c41-7d0e-8000-00000000000a';
const B = '0198f3a2-7c41-7d0e-8000-00000000000b';

test.each([
  [null, `/${A}/connection`],
  [`/${A}/createConnection?step=source`, `/${A}/createConnection?step=source`],
  [`/${B}/createConnection`, `/${A}/connection`],
  [`/${A}/subscription`, `/${A}/connection`],
  [`/${A}/subscription/success?session_id=1`, `/${A}/connection`],
  ['/organizations', `/${A}/connection`],
])('redirects callback %s to %s', (callback, target) => expect(targetAfterCheckout(A, callback)).toBe(target));
