import assert from 'node:assert/strict'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { rsaPair } from '../../../test/builders/rsa-keys.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { waitUntilSomebodyWaits } from '../../../test/harness/lock-waits.ts'
import { openVault } from '../../platform/base/secret.ts'
import { OperatorRefusal } from '../../platform/errors/catalogue.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import {
  approveWebsite,
  askForWebsite,
  changeState,
  removeMethodPlan,
  removeWebsite,
  rotateKey,
  setMethodPlan,
  setOptions,
  setRsaKey,
  transitions,
} from './change-merchant.ts'
import { createMerchant, defaultCurrencies } from './create-merchant.ts'
import { aboutDangling } from './dangling-routes.ts'
import { loadMerchants, opensSecrets } from './load-merchants.ts'
import { type Merchant, signingKey } from './merchant.ts'
import {
  assignPlan,
  listPlans,
  lookAtPlan,
  type PlanMethod,
  removePlanMethod,
  setPlan,
} from './named-plans.ts'
import { type OptionTexts, readOptions } from './options.ts'
import { lockPlan, unlinkPlan } from './plan-sql.ts'
import { lockMerchant, markKeyUsed } from './sql.ts'

const vault = openVault(randomBytes(32))
const start = new Date('2026-11-15T12:00:00Z')
const HOUR_MS = 3_600_000

const database = useDatabase()

function create(texts: OptionTexts = {}, pending = false) {
  const options = readOptions({ name: 'Shop', sites: ['shop.example'], ...texts })
  return database.db.transaction((tx) => createMerchant(tx, vault, { options, pending, now: start }))
}

async function load(merNo: number, now = start): Promise<Merchant> {
  const merchant = (await loadMerchants(database.db, vault, [merNo], now)).get(merNo)
  assert.ok(merchant)
  return merchant
}

describe('a new merchant', () => {
  test('is active, with an 8-digit number and working secrets', async () => {
    const made = await create()
    assert.match(String(made.merNo), /^[1-9]\d{7}$/)
    assert.match(made.key, /^[0-9A-Za-z]{32}$/)
    assert.match(made.webhookSecret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    const merchant = await load(made.merNo)
    assert.equal(merchant.state, 'active')
    assert.deepEqual(
      merchant.keys.map(({ key, usedAt, retiresAt }) => ({ key, usedAt, retiresAt })),
      [{ key: made.key, usedAt: undefined, retiresAt: undefined }],
    )
    assert.equal(merchant.webhookSecret, made.webhookSecret)
    assert.deepEqual(merchant.websites, ['shop.example'])
  })

  test('has every method, nine currencies that settle in themselves, and the default limits', async () => {
    const merchant = await load((await create()).merNo)
    assert.equal(merchant.methods, undefined)
    assert.deepEqual([...defaultCurrencies].sort(), 'BRL CNY EUR HKD MXN PEN PHP USD VND'.split(' '))
    assert.deepEqual(
      [...merchant.currencies],
      [...defaultCurrencies].sort().map((code) => [code, code]),
    )
    assert.deepEqual(merchant.limits, { single: 100_000_00n, daily: 1_000_000_00n, monthly: 10_000_000_00n })
    assert.equal(merchant.refundCredit, 500_00n)
    assert.deepEqual([merchant.requireRsa, merchant.signAnswers], [false, false])
  })

  test('takes its options', async () => {
    const made = await create({
      currencies: 'USD,GBP',
      settleCurrency: 'EUR',
      feeBps: '290',
      feeFixed: '0.30',
      marginBps: '1000',
      methods: 'card,pix',
    })
    const merchant = await load(made.merNo)
    assert.deepEqual(Object.fromEntries(merchant.currencies), { USD: 'EUR', GBP: 'EUR' })
    assert.deepEqual(merchant.feePlans.get(''), {
      feeBps: 290,
      feeFixed: '0.30',
      refundFee: '0.00',
      chargebackFee: '0.00',
      marginBps: 1000,
      marginDays: 180,
      settleDays: 1,
    })
    assert.deepEqual(merchant.methods, new Set(['card', 'pix']))
  })

  test('needs a website', async () => {
    await assert.rejects(create({ sites: [] }), OperatorRefusal)
  })
})

describe('the life of a merchant', () => {
  test('follows the transition table, and every other change is refused', async () => {
    const states = ['pending', 'active', 'suspended', 'closed'] as const
    const ways = { pending: [], active: [], suspended: ['suspend'], closed: ['close'] } as const
    for (const from of states) {
      for (const transition of ['approve', 'suspend', 'close'] as const) {
        const { merNo } = await create({}, from === 'pending')
        for (const way of ways[from]) await changeState(database.db, merNo, way)
        const changed = changeState(database.db, merNo, transition)
        if (transitions[transition].from.includes(from)) {
          assert.equal(await changed, transitions[transition].to)
        } else {
          await assert.rejects(changed, OperatorRefusal)
          assert.equal((await load(merNo)).state, from)
        }
      }
    }
  })

  test('a merchant that does not exist cannot be changed', async () => {
    await assert.rejects(changeState(database.db, 1, 'close'), /there is no merchant 1$/)
  })
})

describe('changed options', () => {
  test('leave the others unchanged', async () => {
    const { merNo } = await create({ feeBps: '290', limitSingle: '10', timezone: 'Asia/Manila' })
    const before = await load(merNo)
    await setOptions(database.db, merNo, readOptions({ signAnswers: 'on', feeFixed: '1.00' }), start)
    const plan = before.feePlans.get('')
    assert.ok(plan)
    const expected = {
      ...before,
      signAnswers: true,
      feePlans: new Map([['', { ...plan, feeFixed: '1.00' }]]),
    }
    assert.deepEqual(await load(merNo), expected)
  })

  test('replace whole lists, and currencies that stay keep their settlement currency', async () => {
    const { merNo } = await create({ currencies: 'USD,GBP', settleCurrency: 'USD' })
    const texts = { sites: ['a.example', '*.b.example'], currencies: 'GBP,EUR', ips: ['203.0.113.0/24'] }
    await setOptions(database.db, merNo, readOptions(texts), start)
    const merchant = await load(merNo)
    assert.deepEqual(merchant.websites, ['*.b.example', 'a.example'])
    assert.deepEqual(Object.fromEntries(merchant.currencies), { EUR: 'EUR', GBP: 'USD' })
    assert.deepEqual(merchant.ips, ['203.0.113.0/24'])
  })

  test('a settlement currency alone applies to all enabled currencies', async () => {
    const { merNo } = await create({ currencies: 'USD,GBP' })
    await setOptions(database.db, merNo, readOptions({ settleCurrency: 'USD' }), start)
    assert.deepEqual(Object.fromEntries((await load(merNo)).currencies), { GBP: 'USD', USD: 'USD' })
  })
})

describe('the plan of one method', () => {
  const set = (merNo: number, method: 'card' | 'pix', texts: OptionTexts) =>
    setMethodPlan(database.db, merNo, method, readOptions(texts))

  test('copies missing values once from the plan for all methods, and is independent afterwards', async () => {
    const { merNo } = await create({ feeBps: '290', feeFixed: '0.30', settleDays: '3' })
    const common = (await load(merNo)).feePlans.get('')
    await set(merNo, 'card', { feeBps: '150', chargebackFee: '15' })
    const card = { ...common, feeBps: 150, chargebackFee: '15.00' }
    await setOptions(database.db, merNo, readOptions({ settleDays: '7' }), start)
    assert.deepEqual((await load(merNo)).feePlans.get('card'), card)
    await set(merNo, 'card', { marginBps: '500' })
    const { feePlans } = await load(merNo)
    assert.deepEqual(feePlans.get('card'), { ...card, marginBps: 500 })
    assert.deepEqual([...feePlans.keys()], ['', 'card'])
  })

  test('can be removed once, without touching other plans', async () => {
    const { merNo } = await create()
    await set(merNo, 'card', { feeBps: '150' })
    await set(merNo, 'pix', { feeBps: '90' })
    await removeMethodPlan(database.db, merNo, 'card')
    assert.deepEqual([...(await load(merNo)).feePlans.keys()], ['', 'pix'])
    await assert.rejects(removeMethodPlan(database.db, merNo, 'card'), /has no separate plan for card$/)
  })

  test('needs an existing merchant', async () => {
    await assert.rejects(set(1, 'card', { feeBps: '1' }), /there is no merchant 1$/)
  })
})

describe('a named plan', () => {
  const set = (plan: string, method: PlanMethod, feeBps: string) =>
    setPlan(database.db, { plan, method, options: readOptions({ feeBps }) })
  const feesOf = async (merNo: number) =>
    [...(await load(merNo)).feePlans].map(([method, { feeBps }]) => `${method} ${feeBps}`).sort()

  test('gives its terms to its own merchants, and to no others', async () => {
    const [first, second, third, alone] = [await create(), await create(), await create(), await create()]
    await set('Gold', 'all', '100')
    await set('Gold', 'card', '50')
    await set('Silver', 'all', '200')
    await set('Silver', 'card', '150')
    for (const { merNo } of [first, second]) await assignPlan(database.db, merNo, 'Gold')
    await assignPlan(database.db, third.merNo, 'Silver')
    const { merchants } = await database.db.transaction((tx) => lookAtPlan(tx, 'Gold'))
    assert.deepEqual(merchants.map(({ merNo }) => merNo).sort(), [first.merNo, second.merNo].sort())
    assert.deepEqual(await feesOf(first.merNo), [' 100', 'card 50'])
    await setOptions(database.db, alone.merNo, readOptions({ feeBps: '290' }), start)
    await set('Gold', 'payout', '10')
    await set('Gold', 'card', '60')
    for (const { merNo } of [first, second])
      assert.deepEqual(await feesOf(merNo), [' 100', 'card 60', 'payout 10'])
    assert.deepEqual(await feesOf(third.merNo), [' 200', 'card 150'])
    assert.deepEqual(await feesOf(alone.merNo), [' 290'])
    await removePlanMethod(database.db, 'Gold', 'card')
    assert.deepEqual(await feesOf(first.merNo), [' 100', 'payout 10'])
    assert.deepEqual(await feesOf(third.merNo), [' 200', 'card 150'])
    await assignPlan(database.db, second.merNo, 'Silver')
    assert.deepEqual(await feesOf(second.merNo), [' 200', 'card 150'])
    assert.deepEqual(await feesOf(first.merNo), [' 100', 'payout 10'])
    await setOptions(database.db, first.merNo, readOptions({ feeBps: '90' }), start)
    await set('Gold', 'all', '110')
    assert.deepEqual(await feesOf(first.merNo), [' 90', 'payout 10'], 'its own terms end its plan')
    await assignPlan(database.db, third.merNo, undefined)
    await set('Silver', 'all', '300')
    assert.deepEqual(await feesOf(second.merNo), [' 300', 'card 150'])
    assert.deepEqual(await feesOf(third.merNo), [' 200', 'card 150'])
    assert.deepEqual(
      (await listPlans(database.db)).map(({ plan, merchants, terms }) => [plan, merchants, terms.length]),
      [
        ['Gold', 0, 2],
        ['Silver', 1, 2],
      ],
    )
  })

  test('leaves the terms of a merchant alone that leaves the plan at the same time', async () => {
    const { merNo } = await create()
    await set('Bronze', 'all', '100')
    await assignPlan(database.db, merNo, 'Bronze')
    const { changed } = await database.db.transaction(async (tx) => {
      await lockMerchant(tx, merNo)
      const changed = set('Bronze', 'all', '110')
      await waitUntilSomebodyWaits(database.db)
      await unlinkPlan(tx, merNo)
      return { changed }
    })
    await changed
    assert.deepEqual(await feesOf(merNo), [' 100'])
  })

  test('gives a merchant that gets the plan its terms after a change at the same time', async () => {
    const { merNo } = await create()
    await set('Copper', 'all', '100')
    const { assigned } = await database.db.transaction(async (tx) => {
      await lockPlan(tx, 'Copper')
      const assigned = assignPlan(database.db, merNo, 'Copper')
      await waitUntilSomebodyWaits(database.db)
      await tx.query({ text: `update named_plans set fee_bps = 110 where plan = 'Copper'` })
      return { assigned }
    })
    await assigned
    assert.deepEqual(await feesOf(merNo), [' 110'])
  })
})

const rotate = (merNo: number, now: Date, endsOldKey = false) =>
  rotateKey(database.db, vault, { merNo, now, endsOldKey })

describe('rotating the key', () => {
  test('leaves two keys valid for 24 hours, then one', async () => {
    const { merNo, key: first } = await create()
    const second = await rotate(merNo, start)
    const keysAt = async (hours: number) => {
      const merchant = await load(merNo, new Date(start.getTime() + hours * HOUR_MS))
      return merchant.keys.map(({ key }) => key)
    }
    assert.deepEqual(await keysAt(23.99), [second, first])
    assert.deepEqual(await keysAt(24), [second])
  })

  test('we sign with the old one until the new one is first used or the time is over', async () => {
    const { merNo, key: first } = await create()
    const second = await rotate(merNo, start)
    const merchant = await load(merNo)
    assert.equal(signingKey(merchant)?.key, first)
    const late = await load(merNo, new Date(start.getTime() + 24 * HOUR_MS))
    assert.equal(signingKey(late)?.key, second)
    await markKeyUsed(database.db, merNo, merchant.keys[0]?.keyId ?? '', { now: start, unless: start })
    assert.equal(signingKey(await load(merNo))?.key, second)
  })

  test('the first use is recorded once if two nodes see it at the same time', async () => {
    const { merNo } = await create()
    const { keyId = '' } = (await load(merNo)).keys[0] ?? {}
    const use = (on: Queryable, ms: number) =>
      markKeyUsed(on, merNo, keyId, { now: new Date(start.getTime() + ms), unless: start })
    const { later } = await database.db.transaction(async (tx) => {
      await use(tx, 1)
      const later = use(database.db, 2)
      await waitUntilSomebodyWaits(database.db)
      return { later }
    })
    await later
    assert.deepEqual((await load(merNo)).keys[0]?.usedAt, new Date(start.getTime() + 1))
  })

  test('a further rotation is refused while an old key is valid, and names the time at which that key ends', async () => {
    const { merNo, key: first } = await create()
    const second = await rotate(merNo, start)
    const soon = new Date(start.getTime() + 24 * HOUR_MS - 1)
    await assert.rejects(rotate(merNo, soon), (error: unknown) => {
      assert.ok(error instanceof OperatorRefusal)
      const end = new Date(start.getTime() + 24 * HOUR_MS).toISOString().slice(0, 16).replace('T', ' ')
      assert.ok(error.message.includes(`valid until ${end} UTC`), error.message)
      return true
    })
    assert.deepEqual(
      (await load(merNo, soon)).keys.map(({ key }) => key),
      [second, first],
    )
    assert.ok(await rotate(merNo, new Date(start.getTime() + 24 * HOUR_MS)))
  })

  test('a further rotation that asks for it ends the oldest key at once', async () => {
    const { merNo, key: first } = await create()
    const second = await rotate(merNo, start)
    const third = await rotate(merNo, new Date(start.getTime() + HOUR_MS), true)
    const { keys } = await load(merNo, new Date(start.getTime() + HOUR_MS))
    assert.deepEqual(
      keys.map(({ key }) => key),
      [third, second],
    )
    assert.ok(!keys.some(({ key }) => key === first))
  })

  test('of concurrent rotations one is made, and the others are refused', async () => {
    const { merNo, key: first } = await create()
    const tries = await Promise.allSettled([1, 2, 3, 4].map(() => rotate(merNo, start)))
    const made = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    assert.equal(made.length, 1)
    assert.deepEqual(
      (await load(merNo)).keys.map(({ key }) => key),
      [...made, first],
    )
  })
})

describe('the RSA public key', () => {
  const pemOf = (bits: number) =>
    generateKeyPairSync('rsa', { modulusLength: bits, publicKeyEncoding: { type: 'spki', format: 'pem' } })

  test('is valid once registered, and a second one replaces it', async () => {
    const { merNo } = await create()
    for (const { publicKey: pem } of [pemOf(2048), pemOf(3072)]) {
      await setRsaKey(database.db, vault, { merNo, pem, now: start })
      assert.equal((await load(merNo)).rsaKey?.export({ type: 'spki', format: 'pem' }), pem)
    }
  })

  test('is refused when it is too short, of another kind, private, or not a key', async () => {
    const { merNo } = await create()
    const set = (pem: string) => setRsaKey(database.db, vault, { merNo, pem, now: start })
    const { privateKey } = rsaPair('merchant')
    const { publicKey: curve } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    await assert.rejects(set(pemOf(1024).publicKey), /1024 bits: use one of 2048 bits or more/)
    await assert.rejects(set(String(curve.export({ type: 'spki', format: 'pem' }))), /not an RSA public key/)
    await assert.rejects(set(String(privateKey.export({ type: 'pkcs8', format: 'pem' }))), /a private key/)
    await assert.rejects(set('hello'), OperatorRefusal)
    assert.equal((await load(merNo)).rsaKey, undefined)
  })
})

describe('secrets at rest', () => {
  test('no column of the keys table contains a plain-text secret', async () => {
    const made = await create()
    const rotated = await rotate(made.merNo, start)
    const rows = await database.db.query<{ row: string }>({
      text: `select row_to_json(k)::text || encode(sealed, 'escape') as row from merchant_keys k where mer_no = $1`,
      values: [made.merNo],
    })
    assert.equal(rows.length, 3)
    const dump = rows.map(({ row }) => row).join('\n')
    for (const secret of [made.key, made.webhookSecret, rotated]) {
      assert.ok(!dump.includes(secret))
      assert.ok(!dump.includes(Buffer.from(secret).toString('hex')))
    }
  })

  test('an encrypted key does not decrypt after it was moved to another merchant', async () => {
    const [one, other] = [await create(), await create()]
    await database.db.query({
      text: `update merchant_keys k set sealed = o.sealed from merchant_keys o
        where k.mer_no = $1 and o.mer_no = $2 and k.kind = 'md5' and o.kind = 'md5'`,
      values: [one.merNo, other.merNo],
    })
    await assert.rejects(load(one.merNo), /the master key does not decrypt the md5 key of merchant/)
  })

  test('another master key is recognised', async () => {
    await create()
    assert.equal(await opensSecrets(database.db, openVault(randomBytes(32))), false)
  })
})

test('a website is accepted once it is approved, and no longer after it is removed', async () => {
  const { merNo } = await create()
  await assert.rejects(approveWebsite(database.db, merNo, 'new.example', start), OperatorRefusal)
  await askForWebsite(database.db, merNo, 'new.example')
  const asked = await load(merNo)
  assert.deepEqual(
    { websites: asked.websites, askedWebsites: asked.askedWebsites },
    { websites: ['shop.example'], askedWebsites: ['new.example'] },
  )
  await approveWebsite(database.db, merNo, 'new.example', start)
  const approved = await load(merNo)
  assert.deepEqual(
    { websites: approved.websites, askedWebsites: approved.askedWebsites },
    { websites: ['new.example', 'shop.example'], askedWebsites: [] },
  )
  await askForWebsite(database.db, merNo, 'new.example')
  assert.equal((await load(merNo)).websites.length, 2, 'asking again takes nothing away')
  await removeWebsite(database.db, merNo, 'new.example')
  assert.deepEqual((await load(merNo)).websites, ['shop.example'])
  await assert.rejects(removeWebsite(database.db, merNo, 'new.example'), OperatorRefusal)
})

test('of the routes that lead to no channel the first is described, and the others are counted', () => {
  const route = { merNo: 10_000_001, method: 'card', channel: 'gone', why: 'there is no such channel' }
  assert.equal(aboutDangling([]), undefined)
  assert.match(aboutDangling([route])?.found ?? '', /to gone, but there is no such channel$/)
  assert.match(aboutDangling([route, route, route])?.found ?? '', /; there are 2 more such routes$/)
})
