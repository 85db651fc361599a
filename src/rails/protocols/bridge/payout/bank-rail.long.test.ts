import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import fastify from 'fastify'
import { registerIssuerApi } from '../../../../../sandbox/issuer-routes.ts'
import { createPayoutBank } from '../../../../../sandbox/payout-bank.ts'
import { startPayoutCallbacks } from '../../../../../sandbox/server.ts'
import { testPayoutContract } from '../../../../../test/contracts/payout-contract.ts'
import type { PayoutBehaviour, PayoutDriver } from '../../../../../test/contracts/payout-driver.ts'
import { SECRET, signAgain } from '../../../../../test/contracts/sandbox-driver.ts'
import { openCallbackReceiver } from '../../../../../test/counterparties/callback-receiver.ts'
import type { ProxyAnswer } from '../../../../../test/counterparties/faulty-proxy.ts'
import { systemClock } from '../../../../platform/base/clock.ts'
import type { PayoutRequest } from '../../../contract/payout-rail.ts'
import { httpTransport } from '../../../toolkit/transport.ts'
import { type BankOperation, createBankRail } from './bank-rail.ts'
import { fromPayout } from './wire.ts'

const PATH = '/payout-bank'

const amounts: Readonly<Record<PayoutBehaviour, bigint>> = { pays: 1_000n, declines: 666n, refused: 0n }

testPayoutContract('the bridge', openDriver)

async function openDriver(): Promise<PayoutDriver> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-rail-'))
  const bookFile = join(folder, 'payout-bank.sqlite')
  const bank = createPayoutBank({ bookFile, clock: systemClock, reportsAfterMs: 50 })
  const app = fastify({ forceCloseConnections: true })
  registerIssuerApi(app, bank, SECRET, PATH)
  const sending = startPayoutCallbacks(bank, SECRET)
  const receiver = await openCallbackReceiver()
  const url = (await app.listen({ host: '127.0.0.1', port: 0 })) + PATH
  const connectWith = (secret: string) => (address: string, timeoutMs: number) =>
    createBankRail({
      transport: httpTransport<BankOperation>({ url: address, secret }),
      secret: SECRET,
      callbackUrl: receiver.url,
      timeoutMs,
    })
  return {
    url,
    connect: connectWith(SECRET),
    connectAsStranger: connectWith('another secret'),
    request: (behaviour, reference) => aRequest(reference, amounts[behaviour]),
    // The bank decides by itself, and the contract tests repeat `ask` until then.
    decide: async () => {},
    statesReturn: true,
    async giveBack(reference) {
      const answer = await bank.handle({ operation: 'simulate', body: { reference, event: 'return' } })
      assert.equal(answer?.status, 200)
    },
    async giveBackPart(reference, amount) {
      const body = { reference, event: 'return', amount: amount.toString() }
      assert.equal((await bank.handle({ operation: 'simulate', body }))?.status, 200)
    },
    async countPaid(reference) {
      const answer = await bank.handle({ operation: 'lookup', body: { reference } })
      return answer?.body.status === 'succeeded' ? 1 : 0
    },
    forge: {
      amount: (answer, { amount, currency }) => withFields(answer, { amount: amount.toString(), currency }),
      state: (answer) => withFields(answer, { status: 'on_hold' }),
      currency: (answer, currency) => withFields(answer, { currency }),
    },
    received: receiver.received,
    forgeCallback: (callback, currency) =>
      signAgain(callback, JSON.stringify({ ...JSON.parse(callback.body), currency })),
    cardNumber: '4242424242424242',
    async close() {
      await app.close()
      await sending.stop()
      await receiver.close()
      bank.close()
      rmSync(folder, { recursive: true })
    },
  }
}

function withFields(answer: ProxyAnswer, fields: Readonly<Record<string, string>>): ProxyAnswer {
  return { ...answer, body: JSON.stringify({ ...JSON.parse(answer.body), ...fields }) }
}

function aRequest(reference: string, amount: bigint): PayoutRequest {
  const beneficiary = { account: '032180000118359719', details: { benFirstName: 'Test' } }
  return { reference, kind: 'spei', money: { amount, currency: 'MXN' }, beneficiary }
}

test('a payout that came back has a reason, whether the bank gives one or not', () => {
  const body = { reference: 'P1', id: 'po_1', status: 'returned', amount: '1000', currency: 'MXN' }
  const outcomeOf = (fields: object) =>
    fromPayout({ kind: 'answer', status: 200, body: { ...body, ...fields } }, 'P1')
  const came = (returnedAmount: unknown, returnedCurrency: unknown) =>
    outcomeOf({ reason: 'Closed', returnedAmount, returnedCurrency })
  const money = { amount: 975n, currency: 'MXN' }
  assert.deepEqual(came('975', 'MXN'), { kind: 'returned', message: 'Closed', money })
  // If the bank states no returned amount, the returned money is unknown. The amount of the payout does not count
  // instead.
  assert.deepEqual(outcomeOf({}), { kind: 'returned', message: 'The money came back', money: undefined })
  for (const [amount, currency] of [
    ['9.75', 'MXN'],
    [975, 'MXN'],
    ['0', 'MXN'],
    ['975', 'mxn'],
    ['975', undefined],
    [undefined, 'MXN'],
  ])
    assert.equal(came(amount, currency)?.kind, 'unknown', `${amount} ${currency}`)
})
