// Tests the check of callbacks with a bridge whose callbacks are wrong or malformed. The bridge has only the operations
// that this check needs.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import type { Fields } from '../../platform/base/object.ts'
import { signatureHeader, signRequest, timestampHeader } from '../toolkit/signature.ts'
import { allChecks } from './checks/all.ts'
import { runChecks } from './run-checks.ts'

const secret = 'a secret of a lying bridge'

type Lie = {
  /** Replaces the body of the callback. */
  readonly body?: (charge: Fields) => string
  readonly secret?: string
  readonly ageS?: number
  /** Before each right callback, sends one that breaks off in the middle. */
  readonly breaksOff?: true
}

async function openBridge(lie: Lie) {
  const charges = new Map<string, Fields>()
  const server = http.createServer(async (request, response) => {
    const body: Record<string, string> = JSON.parse(await text(request))
    const { reference = '' } = body
    const operation = request.url?.split('/').at(-1)
    if (operation === 'open')
      charges.set(reference, { id: `c-${reference}`, ...body, status: 'open', deposits: [] })
    const charge = charges.get(reference) ?? {}
    const deposit = { id: 'd', amount: charge.amount, currency: charge.currency, at: '2026-11-16T12:00:00Z' }
    const paid = { ...charge, status: 'paid', deposits: [deposit] }
    if (operation === 'simulate') {
      charges.set(reference, paid)
      await callBack(paid, lie)
    }
    const operations = ['ping', 'open', 'lookup', 'simulate']
    const answer = operation === 'ping' ? { operations } : charges.get(reference)
    response.end(JSON.stringify(answer))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  return { server, url: `http://127.0.0.1:${address.port}` }
}

async function callBack(charge: Fields, lie: Lie): Promise<void> {
  const url = new URL(String(charge.callbackUrl))
  const body = lie.body?.(charge) ?? JSON.stringify(charge)
  if (lie.breaksOff) await breakOff(url)
  const timestamp = String(Math.floor(Date.now() / 1000) - (lie.ageS ?? 0))
  const parts = { method: 'POST', path: url.pathname, timestamp, body }
  const headers = {
    [timestampHeader]: timestamp,
    [signatureHeader]: signRequest(lie.secret ?? secret, parts),
  }
  await fetch(url, { method: 'POST', headers, body }).catch(() => {})
}

async function breakOff(url: URL): Promise<void> {
  const request = http.request(url, { method: 'POST', headers: { 'content-length': '100' } })
  request.on('error', () => {})
  await new Promise<void>((resolve) => request.write('{"id":', () => resolve()))
  request.destroy()
}

async function checkCallback(lie: Lie) {
  const { server, url } = await openBridge(lie)
  const checks = allChecks.filter(({ name }) => name === 'callback')
  const asked = { method: undefined, payoutKind: 'spei', isPayoutNamed: false, account: '' } as const
  const [result] = await runChecks(
    { url, secret, ...asked, cardNumber: '4242424242424242', walletToken: undefined, currency: 'USD' },
    { checks },
  )
  server.closeAllConnections()
  server.close()
  return result?.result
}

const changed = (changes: Fields) => (charge: Fields) => JSON.stringify({ ...charge, ...changes })

const lies: Readonly<Record<string, Lie>> = {
  'without its deposits': { body: changed({ deposits: undefined }) },
  'with other deposits': {
    body: changed({ deposits: [{ id: 'd', amount: '1', currency: 'USD', at: '2026-11-16T12:00:00Z' }] }),
  },
  'with another id': { body: changed({ id: 'another' }) },
  'that is still open': { body: changed({ status: 'open' }) },
  'with a type': { body: changed({ type: 'payment' }) },
  'with another signature': { secret: 'not the secret' },
  'by a clock that is ten minutes slow': { ageS: 600 },
}

for (const [what, lie] of Object.entries(lies))
  test(`a callback ${what} is found`, async () => {
    assert.equal(await checkCallback(lie), 'failed')
  })

test('a callback that breaks off, or is followed by a right one, does no harm', async () => {
  assert.equal(await checkCallback({}), 'passed')
  assert.equal(await checkCallback({ breaksOff: true }), 'passed')
})
