// A real gateway takes payments and pays out through Pix, STP, dLocal and SEPA files, while its counterparties work,
// refuse and send nonsense. Their answers repeat the whole request with its credentials. No part of it may be in the
// gateway's log at level debug.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { mountDlocal, type SandboxDlocal } from '../../sandbox/dlocal/mount.ts'
import { mountPix, type SandboxPix } from '../../sandbox/pix/mount.ts'
import type { ChannelEntry } from '../../sandbox/place.ts'
import { createFileBank, type FileBank } from '../../sandbox/sepa-files/bank.ts'
import { mountStp, type SandboxStp } from '../../sandbox/stp/mount.ts'
import { systemClock } from '../../src/platform/base/clock.ts'
import { CCI, CLABE, IBAN } from '../builders/payouts.ts'
import { expired, selfSigned } from '../builders/self-signed.ts'
import { type Fault, type FaultyProxy, openFaultyProxy } from '../counterparties/faulty-proxy.ts'
import { type Mounted, openMounted } from '../counterparties/mounted.ts'
import { ACCOUNT, CHANNEL, sepaSettings } from '../counterparties/sepa-files.ts'
import { type Account, call, newNumber } from '../harness/client.ts'
import { eventually } from '../harness/eventually.ts'
import type { Installation } from '../harness/gateway-process.ts'
import { babbling, type LeakStory, openLeakStory, refusal, said } from '../harness/leak-story.ts'
import { assertFound, assertNoLeaks } from '../harness/leaks.ts'

const NOBODY = 'https://127.0.0.1:1'
const CPF = '52998224725'
const DNI = '45678912'
const PAYER_IBAN = 'NL91ABNA0417164300'
const routes = {
  pix: 'pix',
  payout_pix: 'pix',
  spei: 'stp',
  payout_spei: 'stp',
  per_transfer: 'dlocal',
  payout_per: 'dlocal',
  sepa: CHANNEL,
  payout_bank: CHANNEL,
}
const payer = { userId: 'user-1', email: 'payer@shop.example', name: 'Test Payer', userAgent: 'a test' }
const identity = { customerIdentificationType: '00', customerIdentification: DNI }
const payments: Readonly<Record<string, object>> = {
  PIX: { currencyCode: 'BRL', socialSecurityNumber: CPF },
  SPEI: { currencyCode: 'MXN' },
  PER_TRANSFER: {
    currencyCode: 'PEN',
    billingFirstName: 'Test',
    billingLastName: 'Payer',
    ...identity,
  },
  SEPA: { currencyCode: 'EUR' },
}
const home = { addressLine: 'Av. Arequipa 1000', city: 'Lima', countryCode: 'PE' }
const payouts: readonly object[] = [
  { withdrawType: '4', currencyCode: 'BRL', cardNo: CPF },
  { withdrawType: '6', currencyCode: 'MXN', cardNo: CLABE },
  { withdrawType: '5', currencyCode: 'PEN', cardNo: CCI, bankCode: '02', accountType: '01', ...identity },
  { withdrawType: '3', currencyCode: 'EUR', cardNo: IBAN, ...home, beneficiaryType: 'individual' },
]

let story: LeakStory
let installation: Installation
let account: Account
let pix: Mounted<SandboxPix>
let stp: Mounted<SandboxStp>
let dlocal: Mounted<SandboxDlocal>
let bank: FileBank
let proxies: FaultyProxy[]
let entries: ChannelEntry[]
/** The access tokens, and the secret part of the callback address. */
const made = new Set<string>()

before(async () => {
  ;[pix, stp, dlocal] = [
    await openMounted(mountPix),
    await openMounted(mountStp),
    await openMounted(mountDlocal),
  ]
  const mutual = { ...selfSigned, ca: selfSigned.cert, requestCert: true, rejectUnauthorized: true }
  const [toPix, toStp, toDlocal] = [
    await openFaultyProxy(pix.url, mutual),
    await openFaultyProxy(stp.url),
    await openFaultyProxy(dlocal.url),
  ]
  proxies = [toPix, toStp, toDlocal]
  meet(listening)
  const ours = { ca: selfSigned.cert, clientCertificate: selfSigned.cert, clientKey: selfSigned.key }
  const old = { clientCertificate: expired.cert, clientKey: expired.key }
  const moved = {
    url: `${toPix.url}/pix/v2`,
    protocol: 'pix',
    outgoing: 'efi',
    methods: ['pix', 'payout_pix'],
  }
  story = await openLeakStory((dataDir) => {
    const folder = join(dataDir, 'house-bank')
    bank = createFileBank({ folder, account: ACCOUNT, clock: systemClock })
    const { payoutKinds: _, ...sepa } = sepaSettings(folder, { methods: ['sepa', 'payout_bank'] })
    entries = [
      { ...pix.entry, ...moved, ...ours },
      { ...stp.entry, url: `${toStp.url}/stp` },
      {
        ...dlocal.entry,
        url: String(dlocal.entry.url).replace(dlocal.url, toDlocal.url),
        payoutUrl: String(dlocal.entry.payoutUrl).replace(dlocal.url, toDlocal.url),
        methods: ['per_transfer', 'payout_per'],
      },
      sepa,
      { name: 'old-acquirer', methods: ['card'], url: NOBODY, secret: 'a secret of the acquirer', ...old },
    ]
    return entries
  })
  ;({ account, installation } = story)
  stp.counterparty.notifyAt(`${account.baseUrl}/callbacks/stp`)
  for (const [method, channel] of Object.entries(routes)) await story.route(method, channel)
})
after(async () => {
  await story.close()
  bank.close()
  for (const one of [...proxies, pix, stp, dlocal]) await one.close()
})

const common = () => ({
  merNo: account.merNo,
  merOrderNo: newNumber(),
  sourceAmount: '12.34',
  returnUrl: 'https://shop.example/back',
  notifyUrl: 'https://shop.example/notify',
  ipAddress: '203.0.113.7',
  version: 'V3.0.0',
})

const meet = (fault: Fault) => {
  for (const proxy of proxies) proxy.meet(fault)
}

/** Forwards everything, and collects the secrets in it. */
const listening: Fault = async (forward, { body }) => {
  const answer = await forward()
  for (const [, token = ''] of answer.body.matchAll(/"access_token":"([^"]+)"/g)) made.add(token)
  for (const [, proof = ''] of body.matchAll(/"webhookUrl":"[^"]+\/([^"/]+)"/g)) made.add(proof)
  return answer
}

async function payAll(): Promise<string[]> {
  const codes: string[] = []
  for (const [paymentType, fields] of Object.entries(payments)) {
    const reply = await call(account, '/payment', { ...common(), ...payer, ...fields }, { paymentType })
    codes.push(reply.code)
    if (reply.code === '00000' && paymentType === 'SPEI')
      await stp.counterparty.deposit(String(reply.data.account), 12_34n)
    if (reply.code === '00000' && paymentType === 'SEPA')
      bank.notify(bank.credit([{ cents: 12_34n, text: String(reply.data.reference), iban: PAYER_IBAN }]))
  }
  for (const fields of payouts) {
    const names = { benFirstName: 'Test', benLastName: 'Payee' }
    codes.push((await call(account, '/payout', { ...common(), ...names, ...fields })).code)
  }
  bank.takeOrders()
  return codes
}

const hidden = () => ({
  entries,
  secrets: [...made],
  numbers: [CPF, DNI, CLABE, CCI, IBAN, PAYER_IBAN],
})

it('payments and payouts go through every bank', async () => {
  const codes = await payAll()
  assert.deepEqual(new Set(codes), new Set(['00000']), codes.join())
  assert.ok(made.size >= 3, `${made.size} tokens and proofs`)
  assert.ok(await eventually(() => /"channel":"stp"/.test(installation.output())), 'a deposit was reported')
})

it('an expired certificate is in the log at the start, and in the metrics', async () => {
  const line =
    /"what":"channel old-acquirer: Our certificate,[^}]* expired on 2021-01-01[^}]*must be replaced/
  assert.match(installation.output(), line)
  const metrics = await (await fetch(`${account.baseUrl}/metrics`)).text()
  assert.match(metrics, /^tollgate_channel_certificates_ending 1$/m)
})

it('banks refuse, and talk nonsense', async () => {
  for (const fault of [refusal(400), refusal(401), babbling]) {
    meet(fault)
    const codes = await payAll()
    assert.ok(
      codes.some((code) => code !== '00000'),
      codes.join(),
    )
  }
  for (const text of [`<Document>${IBAN}`, `<a>${PAYER_IBAN}</a>`, `${IBAN} ${PAYER_IBAN}`])
    bank.deliver('bad', () => text)
  const isRead = () => installation.output().split('it was moved to bad').length > 3
  assert.ok(await eventually(isRead), 'the bad files were read')
  await fetch(`${account.baseUrl}/callbacks/pix/wrong/pix`, { method: 'POST', body: said(entries) })
  await fetch(`${account.baseUrl}/callbacks/stp/${entries[1]?.callbackSecret}`, { method: 'POST', body: '{' })
  await fetch(`${account.baseUrl}/callbacks/dlocal`, { method: 'POST', body: said(entries) })
  assert.ok(await eventually(() => installation.output().split('refused a callback').length > 3))
})

it('no credential and no number is in the log', async () => {
  assert.equal(await story.gateway.stop(), 0)
  const output = installation.output()
  for (const name of ['pix', 'stp', 'dlocal', CHANNEL]) assert.ok(output.includes(`"${name}"`), name)
  assertNoLeaks(output, hidden())
})

it('the search would find each of them', () => {
  const [token = ''] = made
  const { clientId, clientSecret, clientKey, clientCertificate } = entries[0] ?? assert.fail()
  const lines = [clientKey, clientCertificate].map((pem) => String(pem).split('\n')[1] ?? '')
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  const others = [
    stp.entry.privateKey,
    stp.entry.callbackSecret,
    dlocal.entry.transKey,
    dlocal.entry.secretKey,
  ]
  const texts = [
    ...others,
    dlocal.entry.payoutClientSecret,
    token,
    basic,
    ...lines,
    IBAN,
    'DE89 3704 0044 0532 0130 00',
  ]
  assertFound(texts, hidden())
})
