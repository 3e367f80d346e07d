import { useMemo } from 'react';
import { useSWRConfig } from 'swr';
import { hasItems, keys, keysAboutPayment, keysOf } from '~/api/http/keys';
import type { Payment, PaymentPage } from '~/api/types';
import { deletePayment, enterWebhookSecret, pausePayment, restorePayment, resumePayment, runPayment } from './payments';

const withoutRequest = { revalidate: false };

const setDesired = (payment: Payment, id: string, desired: Payment['desired']): Payment =>
  payment.id === id ? { ...payment, desired } : payment;

/** The actions of a payment. Caches are updated optimistically and reset when the server rejects the change. */
export function usePaymentActions(organizationId: string) {
  const { mutate } = useSWRConfig();
  return useMemo(() => {
    const lists = keysOf(organizationId, 'payments');
    const show = (id: string, desired: Payment['desired']) => {
      void mutate<PaymentPage>(
        lists,
        (page) => (hasItems(page) ? { ...page, items: page.items.map((item) => setDesired(item, id, desired)) } : page),
        withoutRequest,
      );
      void mutate<Payment>(
        keys.payment(organizationId, id),
        (payment) => payment && setDesired(payment, id, desired),
        withoutRequest,
      );
    };
    const refresh = (id: string) => mutate(keysAboutPayment(organizationId, id));
    return {
      refresh,
      setActive: async ({ id, desired }: Payment, isActive: boolean): Promise<void> => {
        show(id, isActive ? 'active' : 'paused');
        try {
          await (isActive ? resumePayment(organizationId, id) : pausePayment(organizationId, id));
        } catch (error) {
          show(id, desired);
          throw error;
        } finally {
          void refresh(id);
        }
      },
      run: async (id: string): Promise<void> => {
        await runPayment(organizationId, id);
        await refresh(id);
      },
      enterSecret: async (id: string, secret: string): Promise<void> => {
        await enterWebhookSecret(organizationId, id, secret);
        await refresh(id);
      },
      remove: async (id: string): Promise<void> => {
        await deletePayment(organizationId, id);
        await mutate(lists);
        await mutate(keys.payment(organizationId, id), undefined, withoutRequest);
      },
      restore: async (id: string): Promise<void> => {
        await restorePayment(organizationId, id);
        await mutate(lists);
      },
    };
  }, [organizationId, mutate]);
}
