// Tests the data that dLocal needs about the payer. The merchant sends the data to /payment, or our page asks the
// payer.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { mountDlocal, type SandboxDlocal } from '../../../../sandbox/dlocal/mount.ts'
import { type Mounted, openMounted } from '../../../../test/counterparties/mounted.ts'
import {
  type CheckoutWithSandbox,
  openCheckoutWithSandbox,
} from '../../../../test/harness/checkout-with-sandbox.ts'
import { attemptReference } from '../../../money/orders/order.ts'

let dlocal: Mounted<SandboxDlocal>
let setup: CheckoutWithSandbox
before(async () => {
  dlocal = await openMounted(mountDlocal)
  const { method: _, ...entry } = dlocal.entry
  setup = await openCheckoutWithSandbox(['spei', 'per_transfer', 'vn_bank', 'gcash'], ({ name }) => ({
    ...entry,
    name,
  }))
})
after(async () => {
  await setup.close()
  await dlocal.close()
})

const user = { userId: 'user-1', email: 'payer@shop.example' }
const bill = { billingFirstName: 'Ana', billingLastName: 'Quispe' }
const browser = { address: '192.0.2.1', userAgent: 'Mozilla/5.0', accept: 'text/html' }

/** For each method: the fields that the merchant API requires, and the fields that our page still asks for. */
const table = [
  ['SPEI', 'spei', { currencyCode: 'MXN' }, ['name', 'email']],
  [
    'PER_TRANSFER',
    'per_transfer',
    { currencyCode: 'PEN', customerIdentificationType: '00', customerIdentification: '45678912' },
    ['name', 'email'],
  ],
  [
    'VN_BANK',
    'vn_bank',
    { currencyCode: 'VND', ...user, productName: 'Lamp', paymentMethodStr: 'qrcode', vaBankId: 970436 },
    ['name'],
  ],
  ['GCASH', 'gcash', { currencyCode: 'PHP', ...user, osType: 'ANDROID', terminal: 'WAP' }, ['name']],
] as const

const statusAtDlocal = (tradeNo: string) =>
  dlocal.counterparty.banks.get('dlocal')?.find(attemptReference(tradeNo, 1))?.status

describe('a payment by dLocal', () => {
  for (const [paymentType, method, fields, missing] of table) {
    const sourceAmount = '50000.00'

    it(`is opened at once if the merchant sends names and e-mail: ${paymentType}`, async () => {
      const reply = await setup.post('/payment', paymentType, { ...user, ...bill, ...fields, sourceAmount })
      assert.deepEqual(
        { code: reply.code, payCode: reply.data?.payCode },
        { code: '00000', payCode: 2 },
        reply.message,
      )
      assert.equal(statusAtDlocal(reply.data.tradeNo), 'open')
    })

    it(`asks the payer on our page for what the merchant did not send: ${paymentType}`, async () => {
      const reply = await setup.post('/payment', paymentType, { ...fields, sourceAmount })
      assert.deepEqual(
        { code: reply.code, payCode: reply.data?.payCode },
        { code: '00000', payCode: 2 },
        reply.message,
      )
      assert.equal(statusAtDlocal(reply.data.tradeNo), undefined)
      const token = decodeURIComponent(String(reply.data.payUrl).split('/pay/')[1] ?? '')
      const view = await setup.checkout.open(token)
      assert.deepEqual(
        view?.choices.map((choice) => [choice.method, choice.asks.map(({ name }) => name)]),
        [[method, missing]],
      )
      const entered = { method, attempt: '0', name: 'Ana Quispe', email: 'ana@example.com' }
      assert.equal((await setup.checkout.pay(token, entered, browser))?.kind, 'started')
      assert.equal(statusAtDlocal(reply.data.tradeNo), 'open')
    })
  }
})
