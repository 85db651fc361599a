import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { scriptedChannel } from '../../test/scripted-channel.ts'
import { applyScope } from './apply-scope.ts'
import type { Channel, ChannelTraits } from './contract.ts'
import { traitsOf } from './method.ts'
import { canServe, type Needs, refusalOf, terminalAt } from './serving.ts'
import { ANY_BROWSER, DESKTOP, PHONE, terminalsOfBrowser, terminalsOfOrder } from './terminal.ts'

const needs: Needs = { currency: 'CNY', terminals: DESKTOP, hasToken: false }

function channelWith(traits: Partial<ChannelTraits>): Channel {
  const channel = scriptedChannel('one', 'wechat')
  return { ...channel, traits: { ...channel.traits, ...traits } }
}

describe('whether a channel can serve a payment', () => {
  const cases: readonly [Partial<ChannelTraits>, Partial<Needs>, boolean][] = [
    [{ currencies: 'any' }, {}, true],
    [{ currencies: ['USD'] }, {}, false],
    [{ needsToken: true }, {}, false],
    [{ needsToken: true }, { hasToken: true }, true],
    [{ terminals: ['WAP'] }, {}, false],
    [{ terminals: ['WAP'] }, { terminals: PHONE }, true],
    [{ terminals: ['WEB'] }, { terminals: PHONE }, true],
    [{ terminals: ['WEB', 'WAP'] }, { terminals: ['APP'] }, false],
  ]
  for (const [traits, changes, serves] of cases)
    it(`${JSON.stringify(traits)} for ${JSON.stringify(changes)}: ${serves}`, () => {
      assert.equal(canServe(channelWith(traits), { ...needs, ...changes }), serves)
    })

  it('finds the best terminal that it serves', () => {
    assert.equal(terminalAt(channelWith({ terminals: ['WEB', 'WAP'] }), PHONE), 'WAP')
    assert.equal(terminalAt(channelWith({ terminals: ['WEB'] }), PHONE), 'WEB')
    const { terminals: _, ...alike } = scriptedChannel('one').traits
    assert.equal(terminalAt({ traits: alike }, ['MINI_APP']), 'MINI_APP')
  })
})

describe('the refusal when no channel can serve a payment', () => {
  const refused = (channels: readonly Partial<ChannelTraits>[], changes: Partial<Needs>) =>
    refusalOf(channels.map(channelWith), { ...needs, ...changes })

  it('names the first requirement that none of them meets, and what to send instead', () => {
    assert.equal(refused([], {}).message, 'Channel is not open for this merchant and method')
    const currency = refused([{ currencies: ['USD', 'HKD'] }, { currencies: ['USD'] }], {})
    assert.equal(currency.code, '10019')
    assert.match(currency.message, /no channel accepts CNY: send HKD or USD$/)
    const token = refused([{ needsToken: true }, { currencies: ['USD'] }], {})
    assert.deepEqual([token.code, /send the wallet's token/.test(token.message)], ['10011', true])
    const terminal = refused([{ terminals: ['WEB'] }, { terminals: ['WAP'] }], { terminals: ['APP'] })
    assert.equal(terminal.code, '10011')
    assert.match(terminal.message, /no channel serves terminal APP: send WEB or WAP$/)
  })
})

describe("the payer's terminal", () => {
  const [alipay, wechat] = [traitsOf('alipay'), traitsOf('wechat')]
  const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148'
  const android =
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140 Mobile Safari/537.36'
  const desktop = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140 Safari/537.36'

  it('is detected from the browser; WeChat’s own browser cannot open its phone page', () => {
    const inWechat = `${iphone} MicroMessenger/8.0.50`
    for (const phone of [iphone, android, inWechat]) assert.equal(terminalsOfBrowser(phone, alipay), PHONE)
    for (const phone of [iphone, android]) assert.equal(terminalsOfBrowser(phone, wechat), PHONE)
    for (const other of [desktop, '', inWechat]) assert.equal(terminalsOfBrowser(other, wechat), DESKTOP)
  })

  it('is what the merchant sent, else detected from the browser, else from the system', () => {
    assert.deepEqual(terminalsOfOrder({ terminal: 'MINI_APP', userAgent: desktop }, alipay), ['MINI_APP'])
    assert.equal(terminalsOfOrder({ terminal: '', userAgent: iphone }, alipay), PHONE)
    assert.equal(terminalsOfOrder({ userAgent: desktop, osType: 'IOS' }, alipay), DESKTOP)
    assert.equal(terminalsOfOrder({ osType: 'ANDROID' }, alipay), PHONE)
    assert.equal(terminalsOfOrder({}, alipay), DESKTOP)
  })
})

describe('the currencies and terminals of a channel’s settings', () => {
  const apply = (more: object) => {
    const channel = channelWith({ currencies: ['CNY'], terminals: ANY_BROWSER })
    return applyScope(channel, { name: 'one', method: 'wechat', ...more }).traits
  }

  it('replace the defaults of the adapter', () => {
    assert.deepEqual(apply({}).currencies, ['CNY'])
    assert.deepEqual(apply({ currencies: ['CNY', 'HKD'] }).currencies, ['CNY', 'HKD'])
    assert.deepEqual(apply({ terminals: ['WAP'] }).terminals, ['WAP'])
  })

  it('are refused when the method or the adapter does not support them', () => {
    for (const currencies of [['GBP'], [], 'CNY', [1]])
      assert.throws(() => apply({ currencies }), /channel one: "currencies" must be a list of CNY, USD/)
    for (const terminals of [['APP'], [], ['WEB', null]])
      assert.throws(() => apply({ terminals }), /channel one: "terminals" must be a list of WEB, WAP/)
  })
})
