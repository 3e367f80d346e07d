/** What other modules may use of `payments`. */
export { importPayment } from './import-payment.js';
export { PaymentsModule } from './payments.module.js';
