import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readOrCreateAccounts } from './accounts.ts'
import { createWatcher } from './watcher.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-watcher-'))
after(() => rmSync(folder, { recursive: true }))

let now = new Date('2026-07-01T12:00:00Z')
const pass = (ms: number) => {
  now = new Date(now.getTime() + ms)
}

function open(name: string) {
  const accounts = readOrCreateAccounts(join(folder, 'seed'))
  return createWatcher({ bookFile: join(folder, name), clock: { now: () => now }, accounts, blockMs: 1_000 })
}

const order = {
  reference: 'A1',
  amount: '1250',
  currency: 'EUR',
  returnUrl: 'http://127.0.0.1:1/',
  callbackUrl: '',
  payee: 'Test shop',
  extra: { coin: 'ETH', network: 'ERC20' },
}

test('a transfer gets a confirmation a second and is a deposit at the third, also while the watcher is down', () => {
  const watcher = open('one')
  const opening = watcher.open(order)
  assert.equal(opening.kind, 'opened')
  const { id } = opening.charge
  const seen = (from: typeof watcher) => {
    const charge = from.find('A1')
    assert.ok(charge && Array.isArray(charge.extra.transfers))
    const { confirmations } = charge.extra.transfers[0]
    return { status: charge.status, confirmations, deposits: charge.deposits.length }
  }
  const sent = watcher.pay(id, { amount: '1250', id: 'click' })
  assert.equal(sent?.deposits[0]?.amount, '1250')
  watcher.pay(id, { amount: '1250', id: 'click' })
  assert.deepEqual(seen(watcher), { status: 'open', confirmations: 0, deposits: 0 })
  pass(1_000)
  assert.deepEqual(seen(watcher), { status: 'open', confirmations: 1, deposits: 0 })
  pass(1_500)
  assert.deepEqual(seen(watcher), { status: 'open', confirmations: 2, deposits: 0 })
  watcher.close()
  pass(10_000)
  const again = open('one')
  assert.deepEqual(seen(again), { status: 'paid', confirmations: 3, deposits: 1 })
  assert.deepEqual(seen(again), { status: 'paid', confirmations: 3, deposits: 1 })
  again.close()
})

test('each charge has its own address, of the same account after a restart', () => {
  const first = open('two')
  const addresses = ['A1', 'A2'].map((reference) => {
    const opening = first.open({ ...order, reference })
    return opening.kind === 'opened' ? opening.charge.account : ''
  })
  first.close()
  assert.equal(new Set(addresses).size, 2)
  const accounts = readOrCreateAccounts(join(folder, 'seed'))
  assert.deepEqual(addresses, [accounts.addressAt(1), accounts.addressAt(2)])
})

test('an unsupported coin, network or currency is refused', () => {
  const watcher = open('three')
  for (const extra of [{}, { coin: 'ETH', network: 'POLYGON' }, { coin: 'BTC', network: 'ERC20' }])
    assert.throws(() => watcher.open({ ...order, extra }), /coin|network/)
  assert.throws(() => watcher.open({ ...order, currency: 'XAF' }), /no price/)
  watcher.close()
})
