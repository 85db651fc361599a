import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import fastify from 'fastify'
import { registerIssuerApi } from '../../../sandbox/issuer-routes.ts'
import { createPayoutBank } from '../../../sandbox/payout-bank.ts'
import { startPayoutCallbacks } from '../../../sandbox/server.ts'
import { openCallbackReceiver } from '../../../test/callback-receiver.ts'
import type { ProxyAnswer } from '../../../test/faulty-proxy.ts'
import { testPayoutContract } from '../../../test/payout-contract.ts'
import type { PayoutBehaviour, PayoutDriver } from '../../../test/payout-driver.ts'
import { SECRET, signAgain } from '../../../test/sandbox-driver.ts'
import { systemClock } from '../../base/clock.ts'
import { httpTransport } from '../transport.ts'
import { type BankOperation, createBankRail } from './bank-rail.ts'
import type { PayoutRequest } from './contract.ts'
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
    // The contract asks until it is decided.
    decide: async () => {},
    async giveBack(reference) {
      const answer = await bank.handle({ operation: 'simulate', body: { reference, event: 'return' } })
      assert.equal(answer?.status, 200)
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
  assert.deepEqual(outcomeOf({ reason: 'Closed' }), { kind: 'returned', message: 'Closed' })
  assert.deepEqual(outcomeOf({}), { kind: 'returned', message: 'The money came back' })
})
