import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeId } from '../../platform/base/id.ts'
import { openVault } from '../../platform/base/secret.ts'
import { createLinks } from './page-link.ts'

const now = new Date('2026-11-15T12:00:00Z')
const inAnHour = new Date(now.getTime() + 3_600_000)
const vault = openVault(Buffer.alloc(32, 7))
const links = createLinks(vault, 'https://pay.example/base')
const tradeNo = makeId('T', 10_000_001, now)
const tokenOf = (url: string) => url.split('/').at(-1) ?? ''
const token = tokenOf(links.pageUrl(tradeNo, inAnHour))

describe('a link', () => {
  it('opens its order until it expires', () => {
    assert.deepEqual(links.read(token, now), { merNo: 10_000_001, tradeNo })
    assert.deepEqual(links.read(token, inAnHour), { merNo: 10_000_001, tradeNo })
    assert.equal(links.read(token, new Date(inAnHour.getTime() + 1_000)), undefined)
  })

  it('starts with the base address', () => {
    assert.equal(links.urlOf(token), links.pageUrl(tradeNo, inAnHour))
    assert.ok(links.urlOf(token).startsWith('https://pay.example/base/pay/T'))
  })

  it('opens nothing if a character is changed, missing or added', () => {
    for (let at = 0; at < token.length; at++) {
      const other = token[at] === 'A' ? 'B' : 'A'
      assert.equal(links.read(token.slice(0, at) + other + token.slice(at + 1), now), undefined, `at ${at}`)
      assert.equal(links.read(token.slice(0, at), now), undefined)
    }
    for (const wrong of [`${token}A`, ` ${token}`, '', '.', '..', '...', tradeNo])
      assert.equal(links.read(wrong, now), undefined, wrong)
  })

  it('has a signature that is valid for no other order and no later expiry', () => {
    const another = makeId('T', 10_000_001, now)
    const [, expiry, mac] = token.split('.')
    const [, later] = tokenOf(links.pageUrl(tradeNo, new Date(inAnHour.getTime() + 9_000_000))).split('.')
    assert.equal(links.read(`${another}.${expiry}.${mac}`, now), undefined)
    assert.equal(links.read(`${tradeNo}.${later}.${mac}`, now), undefined)
  })

  it('to one kind of page, or signed with another key, does not open the other kind', () => {
    const payouts = createLinks(vault, 'https://pay.example', 'payout')
    const others = createLinks(openVault(Buffer.alloc(32, 8)), 'https://pay.example')
    assert.equal(payouts.read(token, now), undefined)
    assert.equal(others.read(token, now), undefined)
    assert.equal(links.read(tokenOf(payouts.pageUrl(tradeNo, inAnHour)), now), undefined)
  })
})
