// Tests refunds at a scripted bank: which Pix is refunded, even after a lost response, and what a refusal means.
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { makeReference } from '../../../../test/contracts/channel-driver.ts'
import { connectChannel, toolsWith } from '../../../../test/counterparties/connect-entry.ts'
import {
  openScriptedServer,
  type ScriptedAnswer,
  type ScriptedServer,
} from '../../../../test/counterparties/scripted-server.ts'
import { useDatabase } from '../../../../test/harness/harness.ts'
import { systemClock } from '../../../platform/base/clock.ts'
import type { Channel } from '../../contract/channel.ts'
import { openStore } from '../../toolkit/records/store.ts'

const money = { amount: 12_50n, currency: 'BRL' }
let server: ScriptedServer
/** Opens a new channel that has only the stored records, as after a restart. */
let connect: () => Channel
const database = useDatabase({
  async before() {
    server = await openScriptedServer()
    const texts = ['clientId', 'clientSecret', 'pixKey', 'payeeName', 'payeeCity', 'webhookSecret']
    const settings = Object.fromEntries(texts.map((one) => [one, `a ${one}`]))
    const entry = { name: 'pix-2', method: 'pix', url: server.url, ...settings }
    const storeOf = (name: string) => openStore({ db: database.db, clock: systemClock }, name)
    connect = () => connectChannel(entry, 'pix', toolsWith({ storeOf }))
  },
  after: () => server.close(),
})

/** Returns the Pix that the bank lists. `answer` returns the bank's responses about refunds of these Pix. */
let received: () => readonly object[]
let answer: (method: string, path: string) => ScriptedAnswer
beforeEach(() => {
  server.answerWith(({ method, path }) => {
    if (path === '/oauth/token') return { status: 200, body: { access_token: 't', expires_in: 600 } }
    const [, txid] = /^\/cob\/(.*)$/.exec(path) ?? []
    return txid === undefined ? answer(method, path) : { status: 200, body: { txid, pix: received() } }
  })
})

const refundOf = (refund = money) => {
  return { reference: makeReference(), money, refundReference: makeReference(), refund }
}
const pix = (endToEndId: string, valor: string, devolucoes: readonly object[] = []) => {
  return { endToEndId, valor, devolucoes }
}
const putsOf = (refundReference: string) =>
  server.requests.flatMap(({ method, path }) =>
    method === 'PUT' && path.endsWith(refundReference) ? path.split('/')[2] : [],
  )

describe('a refund of an order that several Pix paid', () => {
  const others = [{ id: 'X', valor: '20.00', status: 'DEVOLVIDO' }]
  const changes = {
    'the newest is listed first': () => [pix('E2', '20.00'), pix('E1', '20.00')],
    'another refund took the first': () => [pix('E1', '20.00', others), pix('E2', '20.00')],
    'neither has enough left': () => [pix('E1', '20.00', others), pix('E2', '20.00', others)],
    'the first is not listed any more': () => [pix('E2', '20.00')],
  }
  for (const [name, later] of Object.entries(changes))
    it(`returns the same one if the response was lost and ${name}`, async () => {
      const request = refundOf()
      received = () => [pix('E1', '20.00'), pix('E2', '20.00')]
      answer = () => ({ status: 504 })
      assert.equal((await connect().refund(request)).kind, 'unknown')
      received = later
      const body = { id: request.refundReference, rtrId: 'D1', valor: '12.50', status: 'DEVOLVIDO' }
      answer = () => ({ status: 201, body })
      assert.equal((await connect().refund(request)).kind, 'succeeded')
      assert.deepEqual(putsOf(request.refundReference), ['E1', 'E1'])
    })

  it('returns one, however many calls choose at the same time', async () => {
    const request = refundOf()
    answer = () => ({ status: 504 })
    let listed = 0
    received = () => [pix(`E${++listed}`, '20.00')]
    await Promise.all([1, 2, 3].map(() => connect().refund(request)))
    assert.equal(listed, 3)
    assert.equal(new Set(putsOf(request.refundReference)).size, 1)
  })
})

it('asks about a refund that the bank refuses, because it may refuse to repeat one that it has made', async () => {
  const asked = refundOf()
  const made = JSON.stringify({ id: asked.refundReference, rtrId: 'D1', valor: '12.50', status: 'DEVOLVIDO' })
  const cases = [
    ['{}', 200, made, 'succeeded'],
    ['{}', 404, '{}', 'failed'],
    ['{}', 404, '<html>', 'unknown'],
    ['{}', 500, '{}', 'unknown'],
    ['<html>', 404, '{}', 'unknown'],
  ] as const
  for (const [refusal, status, body, kind] of cases) {
    received = () => [pix('E1', '12.50')]
    answer = (method) => (method === 'PUT' ? { status: 422, body: refusal } : { status, body })
    assert.equal((await connect().refund(asked)).kind, kind, `${refusal} ${status} ${body}`)
  }
})
