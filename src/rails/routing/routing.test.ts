import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import {
  declines,
  isSilent,
  isUnreachable,
  knowsUsNot,
  refusesToOpen,
  scriptedChannel,
  succeeds,
} from '../../../test/counterparties/scripted-channel.ts'
import type { Channel, ChannelTraits, Outcome } from '../contract/channel.ts'
import { methods } from '../methods/methods.ts'
import { ANY_BROWSER, DESKTOP, PHONE, terminalsOfBrowser, terminalsOfOrder } from '../methods/terminal.ts'
import { applyScope } from './apply-scope.ts'
import {
  canServe,
  createRouting,
  type Needs,
  orderByRoutes,
  type Route,
  type Routing,
  refusalOf,
  registerChannels,
  terminalAt,
} from './routing.ts'

/** Returns a random generator (mulberry32) that gives the same numbers in every run. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

describe('the order of routes', () => {
  const random = seeded(4)
  const leads = (routes: readonly Route[], times: number) => {
    const counts = new Map<string, number>()
    for (let at = 0; at < times; at++) {
      const [first] = orderByRoutes(routes, random)
      if (first !== undefined) counts.set(first.channel, (counts.get(first.channel) ?? 0) + 1)
    }
    return counts
  }

  it('puts channels of equal priority first in proportion to their weights', () => {
    const routes = [
      { channel: 'one', priority: 1, weight: 1 },
      { channel: 'three', priority: 1, weight: 3 },
      { channel: 'six', priority: 1, weight: 6 },
    ]
    const counts = leads(routes, 10_000)
    const share = (channel: string) => (counts.get(channel) ?? 0) / 10_000
    for (const [channel, wanted] of [
      ['one', 0.1],
      ['three', 0.3],
      ['six', 0.6],
    ] as const)
      assert.ok(Math.abs(share(channel) - wanted) < 0.02, `${channel} led ${share(channel)} of the time`)
  })

  it('puts the lowest priority first, whatever the weights', () => {
    const routes = [
      { channel: 'second', priority: 2, weight: 1000 },
      { channel: 'first', priority: 1, weight: 1 },
    ]
    assert.deepEqual(leads(routes, 100), new Map([['first', 100]]))
    assert.deepEqual(
      orderByRoutes(routes, random).map(({ channel }) => channel),
      ['first', 'second'],
    )
  })
})

describe('picking channels', () => {
  const [one, two, other] = [scriptedChannel('one'), scriptedChannel('two'), scriptedChannel('other', 'pix')]
  const routes = [
    { channel: 'one', priority: 1, weight: 1 },
    { channel: 'two', priority: 2, weight: 1 },
  ]
  let nowMs = 0
  let routing: Routing
  let logged: unknown[] = []
  beforeEach(() => {
    nowMs = 1_000_000
    logged = []
    const channels = registerChannels([one, two, other])
    const log = {
      warn: (details: object, message: string) => void logged.push(['warn', details, message]),
      info: (details: object, message: string) => void logged.push(['info', details, message]),
    }
    routing = createRouting({ channels, clock: { now: () => new Date(nowMs) }, random: seeded(1), log })
  })
  const picked = (of: readonly Route[] | undefined = routes) =>
    routing.pick('card', of).map(({ name }) => name)
  const opened = async (times: number, says: () => Outcome | Promise<Outcome>) => {
    for (let at = 0; at < times; at++) routing.opened(one, await says(), 1)
  }

  it('uses all channels of the method if the merchant has no routes', () => {
    assert.deepEqual(picked(undefined).sort(), ['one', 'two'])
    assert.deepEqual(
      routing.pick('pix', undefined).map(({ name }) => name),
      ['other'],
    )
    assert.deepEqual(routing.pick('spei', undefined), [])
  })

  it('ignores a route to a channel that is not configured or serves another method', () => {
    const astray = ['gone', 'other'].map((channel) => ({ channel, priority: 1, weight: 1 }))
    assert.deepEqual(picked([...astray, ...routes]), ['one', 'two'])
    assert.deepEqual(picked(astray), [])
  })

  it('puts a channel last after five technical failures in a row', async () => {
    await opened(2, isUnreachable)
    await opened(1, knowsUsNot)
    await opened(1, isSilent)
    assert.deepEqual(
      { picked: picked(), openBreakers: routing.openBreakers() },
      { picked: ['one', 'two'], openBreakers: [] },
    )
    await opened(1, isUnreachable)
    assert.deepEqual(
      { picked: picked(), openBreakers: routing.openBreakers() },
      { picked: ['two', 'one'], openBreakers: ['one'] },
    )
    nowMs += 30_000
    assert.deepEqual(routing.openBreakers(), [])
  })

  it('opens no circuit breaker for what payers and merchants can provoke', async () => {
    for (const says of [declines, refusesToOpen]) {
      await opened(10, says)
      assert.deepEqual(
        { picked: picked(), openBreakers: routing.openBreakers() },
        { picked: ['one', 'two'], openBreakers: [] },
      )
    }
  })

  it('learns nothing about a channel from what was decided without a call', async () => {
    const counted: string[] = []
    const channels = registerChannels([one, two])
    const clock = { now: () => new Date(nowMs) }
    routing = createRouting({ channels, clock, count: (name) => counted.push(name) })
    const unreadable = () =>
      ({ kind: 'failed', cause: 'refused', isLocal: true, message: 'Not a token' }) as const
    await opened(10, unreadable)
    assert.deepEqual(
      { picked: picked(), openBreakers: routing.openBreakers(), counted },
      { picked: ['one', 'two'], openBreakers: [], counted: [] },
    )
    await opened(4, isUnreachable)
    await opened(1, unreadable)
    await opened(1, isUnreachable)
    assert.deepEqual(
      { picked: picked(), counted: counted.length },
      { picked: ['two', 'one'], counted: 5 },
      'nor is a failure forgotten',
    )
    await opened(1, unreadable)
    assert.deepEqual(picked(), ['two', 'one'], 'the circuit breaker stays open')
    nowMs += 30_000
    assert.deepEqual(picked(), ['one', 'two'], 'this one tries it')
    await opened(1, unreadable)
    assert.deepEqual(picked(), ['one', 'two'], 'so does the next, because nothing was tried')
  })

  it('resets the failure count on a decline', async () => {
    await opened(4, isUnreachable)
    await opened(1, declines)
    await opened(4, isUnreachable)
    assert.deepEqual(picked(), ['one', 'two'])
  })

  it('lets one payment try a channel again after half a minute', async () => {
    await opened(5, isUnreachable)
    nowMs += 29_999
    assert.deepEqual(picked(), ['two', 'one'])
    nowMs += 1
    assert.deepEqual(picked(), ['one', 'two'], 'this one tries it')
    assert.deepEqual(picked(), ['two', 'one'], 'the others still avoid it')
    await opened(1, isUnreachable)
    nowMs += 29_999
    assert.deepEqual(picked(), ['two', 'one'])
  })

  it('uses a channel as before once it responds again', async () => {
    await opened(5, isUnreachable)
    nowMs += 30_000
    picked()
    await opened(1, succeeds)
    assert.deepEqual(
      [picked(), picked()],
      [
        ['one', 'two'],
        ['one', 'two'],
      ],
    )
    await opened(4, isUnreachable)
    assert.deepEqual(picked(), ['one', 'two'], 'earlier failures no longer count')
  })

  it('logs once that a circuit breaker is open, however long the channel fails, and once that it answers again', async () => {
    const about = { channel: 'one', calls: 'payments' }
    const warning = `a channel's circuit breaker is open: for 30 s new payments go to others first, if there are any; run "channel check" with its name`
    await opened(4, isUnreachable)
    await opened(1, declines)
    await opened(4, isUnreachable)
    assert.deepEqual(logged, [])
    await opened(1, isSilent)
    assert.deepEqual(logged, [['warn', { ...about, inARow: 5 }, warning]])
    for (let tries = 0; tries < 3; tries++) {
      nowMs += 30_000
      picked()
      await opened(2, isUnreachable)
    }
    assert.equal(logged.length, 1)
    await opened(2, succeeds)
    assert.deepEqual(logged.slice(1), [['info', about, 'a channel answers again']])
    await opened(5, isUnreachable)
    assert.deepEqual(logged.slice(2), [['warn', { ...about, inARow: 5 }, warning]])
  })

  it('logs a channel that fails and answers by turns once in half a minute, and one that fails on', async () => {
    for (let turns = 0; turns < 50; turns++) {
      nowMs += 100
      await opened(5, isSilent)
      await opened(1, declines)
    }
    assert.equal(logged.length, 2)
    await opened(5, isSilent)
    assert.equal(logged.length, 2)
    nowMs += 30_000
    await opened(3, isSilent)
    assert.deepEqual(
      logged.slice(2).map((line) => Array.isArray(line) && line.slice(0, 2)),
      [['warn', { channel: 'one', calls: 'payments', inARow: 6 }]],
    )
    await opened(1, succeeds)
    assert.equal(logged.length, 4)
  })

  it('passes a channel that an operator has paused, and counts how the others answer', async () => {
    const counted: string[] = []
    const channels = registerChannels([one, two, other])
    const clock = { now: () => new Date(nowMs) }
    const isPaused = (name: string) => name === 'one'
    routing = createRouting({ channels, clock, isPaused, count: (name) => counted.push(name) })
    assert.deepEqual(picked(), ['two'])
    assert.deepEqual(
      routing.serving('card', undefined).map(({ name }) => name),
      ['two'],
    )
    routing.opened(two, await declines(), 5)
    assert.deepEqual(counted, ['two'])
  })

  it('still tries the channels in order if all of them are failing', async () => {
    await opened(5, isUnreachable)
    for (let at = 0; at < 5; at++) routing.opened(two, await isUnreachable(), 1)
    assert.deepEqual(picked(), ['one', 'two'])
  })
})

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
    [{ serves: { network: ['BSC'] } }, {}, true],
    [{ serves: { network: ['BSC'] } }, { fields: { network: '' } }, true],
    [{ serves: { network: ['BSC'] } }, { fields: { network: 'BSC' } }, true],
    [{ serves: { network: ['BSC'] } }, { fields: { network: 'ERC20' } }, false],
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
    const amounts = new Map([['CNY', { least: 500n }]])
    const amount = refused([{ amounts }, { currencies: ['USD'] }], { amount: 499n })
    assert.equal(amount.code, '10011')
    assert.match(amount.message, /no channel accepts this amount$/)
    const fields = { coin: 'USDT', network: 'BSC' }
    const coin = refused([{ serves: { coin: ['USDC'], network: ['BSC'] } }], { fields })
    assert.match(coin.message, /no channel serves coin USDT with network BSC$/)
    const token = refused([{ needsToken: true }, { currencies: ['USD'] }], {})
    assert.equal(token.code, '10011')
    assert.match(token.message, /send the wallet's token/)
    const terminal = refused([{ terminals: ['WEB'] }, { terminals: ['WAP'] }], { terminals: ['APP'] })
    assert.equal(terminal.code, '10011')
    assert.match(terminal.message, /no channel serves terminal APP: send WEB or WAP$/)
  })
})

describe("the payer's terminal", () => {
  const [alipay, wechat] = [methods.alipay, methods.wechat]
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
    return applyScope(channel, {
      name: 'one',
      protocol: 'wechat',
      methods: ['wechat'],
      payoutKinds: [],
      ...more,
    }).traits
  }

  it('replace the defaults of the adapter', () => {
    assert.deepEqual(apply({}).currencies, ['CNY'])
    assert.deepEqual(apply({ currencies: ['CNY', 'HKD'] }).currencies, ['CNY', 'HKD'])
    assert.deepEqual(apply({ terminals: ['WAP'] }).terminals, ['WAP'])
  })

  it('are refused when the method or the adapter does not support them', () => {
    for (const currencies of [['GBP'], ['CNY', 'GBP'], [], 'CNY', [1]])
      assert.throws(() => apply({ currencies }), /channel one: "currencies" must be a list of CNY, USD/)
    for (const terminals of [['APP'], [], ['WEB', null]])
      assert.throws(() => apply({ terminals }), /channel one: "terminals" must be a list of WEB, WAP/)
  })

  it('may contain currencies of other methods only if the entry has some, and never only such currencies', () => {
    const wrong = /channel one: "currencies" must be a list of CNY, USD/
    assert.throws(() => apply({ currencies: ['CNY', 'GBP'] }), wrong)
    const both = { methods: ['wechat', 'card'] }
    assert.deepEqual(apply({ ...both, currencies: ['CNY', 'GBP'] }).currencies, ['CNY'])
    assert.throws(() => apply({ ...both, currencies: ['GBP'] }), wrong)
  })
})
