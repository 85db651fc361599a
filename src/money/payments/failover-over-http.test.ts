// A payment whose first channel is a real connection that fails. The second channel is called only if the first channel
// did not receive the payment.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAttempt, aPayment } from '../../../test/builders/builders.ts'
import { noAlarms } from '../../../test/builders/no-alarms.ts'
import { assertMoneySound } from '../../../test/builders/paid-orders.ts'
import { openPayments } from '../../../test/builders/payments.ts'
import { selfSigned } from '../../../test/builders/self-signed.ts'
import { openHostileServer, type Received } from '../../../test/counterparties/hostile-server.ts'
import { scriptedChannel } from '../../../test/counterparties/scripted-channel.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { createCardChannel } from '../../rails/protocols/bridge/card/card-channel.ts'
import { httpTransport, type IssuerOperation } from '../../rails/toolkit/transport.ts'
import { findPayment } from '../order-queries/find-payment.ts'
import { State } from '../orders/order.ts'
import { makePayment } from './make-payment.ts'

const database = useDatabase({
  after: ({ db }) => assertMoneySound(db),
})

const card = { number: '4111111111111111', expiryYear: '2030', expiryMonth: '12', securityCode: '123' }
const declined = 'HTTP/1.1 402 Declined\r\ncontent-length: 0\r\n\r\n'
const wanting = { ...selfSigned, ca: selfSigned.cert, requestCert: true }

const cases: readonly (readonly [string, (received: Received) => void, boolean, 'second' | 'none'])[] = [
  ['wants a certificate that we do not have', () => {}, true, 'second'],
  ['takes the request and closes', ({ socket }) => socket.destroy(), false, 'none'],
  ['takes the request and resets', ({ line }) => line.resetAndDestroy(), false, 'none'],
  ['does not answer in time', () => {}, false, 'none'],
  ['stops within its answer', ({ socket }) => socket.end(declined.slice(0, 30)), false, 'none'],
  ['redirects', ({ socket }) => socket.write(declined.replace('402 Declined', '307 Moved')), false, 'none'],
  ['responds without an answer', ({ socket }) => socket.write(declined), false, 'none'],
]
for (const [does, serve, isTls, pays] of cases)
  test(`the first channel ${does}: ${pays === 'second' ? 'the second pays' : 'the second is not called, and the outcome is unknown'}`, async (t) => {
    const { url, requests } = await openHostileServer(t, serve, isTls ? wanting : undefined)
    const secret = 'secret'
    const http = { tls: { ca: selfSigned.cert } }
    // The time-out is long enough for a request to arrive. Only the case without a response waits for the whole
    // time-out.
    const timeoutMs = 3_000
    const transport = httpTransport<IssuerOperation>({ url: url.origin, secret, http })
    const one = createCardChannel({ name: 'one', transport, secret, timeoutMs, alarms: noAlarms })
    const two = scriptedChannel('two')
    const setup = openPayments(database.db, [one, two])
    const payment = aPayment({ attempt: anAttempt(setup.clock.now(), { channel: 'one' }) })
    await setup.deps.gate.countOf(payment.merNo, () =>
      makePayment(setup.deps, {
        payment,
        channels: [one, two],
        terminals: ['WEB'],
        secrets: { card, personal: {} },
        merchantName: 'Corner Shop',
        completeUrl: 'https://pay.example/pay/token/complete',
      }),
    )
    const found = await findPayment(database.db, payment)
    assert.deepEqual(
      { state: found?.state, attempts: found?.attempts, atFirst: requests(), atSecond: two.started.length },
      pays === 'second'
        ? { state: State.succeeded, attempts: 2, atFirst: 0, atSecond: 1 }
        : { state: State.processing, attempts: 1, atFirst: 1, atSecond: 0 },
    )
  })
