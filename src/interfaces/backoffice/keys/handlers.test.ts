import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { rsaPair } from '../../../../test/builders/rsa-keys.ts'
import {
  type BackOffice,
  openBackOffice,
  openLiveOffice,
  type Person,
} from '../../../../test/harness/back-office.ts'
import { pay, readDemoAccount } from '../../../../test/harness/client.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { mailTo } from '../../../../test/harness/people.ts'

let office: BackOffice
let developer: Person

before(async () => {
  office = await openBackOffice({ TOLLGATE_OTHER_URL: 'https://live.example' })
  developer = await office.person(office.demo.merNo, 'developer')
})
after(() => office.close())

function settings() {
  return developer.call('GET /developers', { query: {} })
}

async function lastLine(): Promise<{ action: string; actor: string; text: string }> {
  const [line] = await office.db.query<{ action: string; actor: string; text: string }>({
    text: `select action, actor, row_to_json(a)::text as text from audit_log a where mer_no = $1
      order by entry_id desc limit 1`,
    values: [office.demo.merNo],
  })
  assert.ok(line)
  return line
}

test('a new merchant key is shown once, and the old one stays valid meanwhile', async () => {
  const old = office.demo
  const { key, oldUntil } = await developer.call('POST /keys/rotate', { body: { endsOldKey: false } })
  assert.ok(Date.parse(oldUntil) > Date.now() + 23 * 3_600_000)
  assert.equal((await pay(old)).code, '00000')
  assert.equal((await pay({ ...old, key })).code, '00000')
  assert.equal(readDemoAccount(office.dataDir).key, key)
  assert.ok(await eventually(async () => (await settings()).keys.every(({ usedAt }) => usedAt !== null)))
  const { keys } = await settings()
  assert.deepEqual(
    keys.map(({ retiresAt }) => retiresAt === null),
    [true, false],
  )
  assert.ok(keys.every(({ usedAt }) => Date.now() - Date.parse(usedAt ?? '') < 3_600_000))
  const line = await lastLine()
  assert.deepEqual(
    { action: line.action, actor: line.actor },
    { action: 'key.rotate', actor: developer.email },
  )
  // The developer's page was loaded before this rotation. After the refusal, the page loads the settings again and
  // offers to end the old key.
  const again = await developer.attempt('POST /keys/rotate', { body: { endsOldKey: false } })
  assert.deepEqual({ status: again.status, code: again.problem?.code }, { status: 409, code: 'refused' })
  assert.ok(!line.text.includes(key) && !JSON.stringify(await settings()).includes(key))
  const alerts = await office.db.query<{ kind: string }>({ text: 'select kind from alerts' })
  assert.ok(alerts.some(({ kind }) => kind === 'key-changed') || (await hasMail('key-changed')))
})

test('in live a developer keeps the webhook secret, and only an owner sees the key or decides who signs', async () => {
  const live = await openLiveOffice()
  try {
    const admin = await live.operator()
    const body = { name: 'Live shop', sites: ['live.example'], reason: 'A new company' }
    const { merNo, ...secrets } = await admin.call('POST /merchants', { body })
    assert.deepEqual(secrets, {}, 'an operator with the key could pay out alone')
    const owner = await live.person(merNo, 'owner')
    await owner.call('POST /roles', {
      body: { role: 'integrator', permissions: ['developers.read', 'keys.edit'] },
    })
    const pem = rsaPair('merchant').publicKey.export({ type: 'spki', format: 'pem' }).toString()
    const { signing } = await owner.call('GET /developers', { query: {} })
    const changed = { ...signing, ips: ['203.0.113.9'] }
    for (const role of ['developer', 'integrator']) {
      const person = await live.person(merNo, role)
      const answers = [
        await person.attempt('POST /keys/rotate', { body: { endsOldKey: false } }),
        await person.attempt('PUT /keys/rsa', { body: { pem } }),
        await person.attempt('PUT /developers/signing', { body: changed }),
      ]
      for (const { problem } of answers) assert.equal(problem?.code, 'not-allowed', role)
      await person.call('POST /keys/webhook-secret', {})
    }
    await owner.call('PUT /developers/signing', { body: changed })
    await owner.call('PUT /keys/rsa', { body: { pem } })
    assert.ok((await owner.call('POST /keys/rotate', { body: { endsOldKey: false } })).key)
  } finally {
    await live.close()
  }
})

test('a change of who may sign is mailed like a changed key, also if an operator made it', async () => {
  const admin = await office.operator()
  const created = { name: 'Signed shop', sites: ['signed.example'], reason: 'A new company' }
  const { merNo, key } = await admin.call('POST /merchants', { body: created })
  assert.match(key ?? '', /./)
  const owner = await office.person(merNo, 'owner')
  const mails = async () => {
    const isSent = async () =>
      (await office.db.query({ text: 'select from alerts where mer_no = $1', values: [merNo] })).length === 0
    assert.ok(await eventually(isSent))
    const rows = await office.db.query<{ what: string }>({
      text: `delete from mails where recipient = $1 and template = 'key-changed' returning content ->> 'what' as what`,
      values: [owner.email],
    })
    return rows.map(({ what }) => what).sort()
  }
  const save = async (changes: { ips?: string[]; requireIp?: boolean; signAnswers?: boolean }) => {
    const { signing } = await owner.call('GET /developers', { query: {} })
    await owner.call('PUT /developers/signing', { body: { ...signing, ...changes } })
  }
  const set = (options: { ips?: string[]; requireRsa?: string; requireIp?: string }, dryRun = false) => {
    const body = { options, dryRun, reason: 'Asked by telephone' }
    return admin.call('PUT /merchants/:merNo', { params: { merNo }, body })
  }
  await save({ ips: ['203.0.113.9', '203.0.113.10'], requireIp: true })
  assert.deepEqual(await mails(), ['ips', 'require-ip'])
  await save({ signAnswers: true })
  await set({ ips: ['203.0.113.10', '203.0.113.9'] })
  await set({ ips: ['198.51.100.7'] }, true)
  assert.deepEqual(await mails(), [])
  await set({ ips: ['198.51.100.7'], requireIp: 'off', requireRsa: 'on' })
  await mailTo(office, owner.email, /The rules for signing were changed/)
  assert.deepEqual(await mails(), ['ips', 'require-ip', 'require-rsa'])
})

async function hasMail(template: string): Promise<boolean> {
  const rows = await office.db.query({ text: 'select 1 from mails where template = $1', values: [template] })
  return rows.length > 0
}

test('a public RSA key is registered with its fingerprint, and a private one is refused at its field', async () => {
  const { publicKey, privateKey } = rsaPair('merchant')
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const { fingerprint } = await developer.call('PUT /keys/rsa', { body: { pem } })
  assert.match(fingerprint, /^SHA256:[\w+/]{43}$/)
  const { rsaFingerprint, rsaUsedAt, platform } = await settings()
  assert.equal(rsaFingerprint, fingerprint)
  assert.equal(rsaUsedAt, null)
  assert.notEqual(platform.fingerprint, fingerprint)
  assert.match(platform.pem, /BEGIN PUBLIC KEY/)
  assert.match((await lastLine()).text, /key\.rsa.*SHA256/)
  const secret = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const refused = await developer.attempt('PUT /keys/rsa', { body: { pem: secret } })
  assert.match(refused.problem?.fields?.pem ?? '', /^The file is a private key/)
})

test('a new webhook secret replaces the old one', async () => {
  const { webhookSecret } = await developer.call('POST /keys/webhook-secret', {})
  assert.match(webhookSecret, /^whsec_/)
  assert.ok(!(await lastLine()).text.includes(webhookSecret))
})

test('signing is changed by the version that was seen, and rules that would refuse everything are refused', async () => {
  const { version, ips } = (await settings()).signing
  const wanted = { version, requireRsa: false, requireIp: true, signAnswers: true }
  const attempt = (body: typeof wanted & { ips: string[] }) =>
    developer.attempt('PUT /developers/signing', { body })
  assert.match(
    (await attempt({ ...wanted, ips })).problem?.fields?.requireIp ?? '',
    /^List your addresses first/,
  )
  assert.match(
    (await attempt({ ...wanted, ips: ['nowhere'] })).problem?.fields?.ips ?? '',
    /^Nowhere is not an IP/,
  )
  assert.equal((await attempt({ ...wanted, ips: ['127.0.0.1', '10.0.0.0/8'] })).status, 200)
  const now = (await settings()).signing
  assert.deepEqual(
    { signAnswers: now.signAnswers, requireIp: now.requireIp, ips: now.ips },
    { signAnswers: true, requireIp: true, ips: ['127.0.0.1', '10.0.0.0/8'] },
  )
  assert.equal((await attempt({ ...wanted, ips: [] })).problem?.fields?.requireIp !== undefined, true)
  const late = await attempt({ ...wanted, requireIp: false, ips: [] })
  assert.equal(late.problem?.code, 'conflict')
  const line = await lastLine()
  assert.equal(line.action, 'merchant.signing')
  assert.match(line.text, /"signAnswers": ?false.*"signAnswers": ?true/)
})

test('notification settings have their own permission, and a bad address is refused at its field', async () => {
  const before = await settings()
  const { version } = before.notifying
  const chargebackUrl = 'https://shop.example/chargebacks'
  assert.equal(before.notifying.amountsInNotifications, true)
  const body = { version, notifyReview: true, amountsInNotifications: false, chargebackUrl }
  await developer.call('PUT /developers/notifications', { query: {}, body })
  const { notifying: now, signing } = await settings()
  assert.deepEqual(
    {
      notifyReview: now.notifyReview,
      amountsInNotifications: now.amountsInNotifications,
      chargebackUrl: now.chargebackUrl,
    },
    { notifyReview: true, amountsInNotifications: false, chargebackUrl },
  )
  assert.deepEqual(signing, before.signing, 'the form beside it is not an old one now')
  const bad = { ...body, version: now.version, chargebackUrl: 'shop' }
  const { problem } = await developer.attempt('PUT /developers/notifications', { query: {}, body: bad })
  assert.match(problem?.fields?.chargebackUrl ?? '', /not an absolute http/)
})

test('a website is requested as a host, waits for approval, and can be removed', async () => {
  await developer.call('POST /websites', { body: { site: 'https://New.example/shop' } })
  const { websites } = await settings()
  assert.deepEqual(
    websites.filter(({ isApproved }) => !isApproved),
    [{ site: 'new.example', isApproved: false }],
  )
  assert.equal((await lastLine()).action, 'website.ask')
  const { problem } = await developer.attempt('POST /websites', { body: { site: 'not a host' } })
  assert.match(problem?.fields?.site ?? '', /^Enter a host/)
  await developer.call('DELETE /websites', { query: { site: 'new.example' } })
  assert.ok((await settings()).websites.every(({ site }) => site !== 'new.example'))
})

test('operators see the settings of a merchant that they name, and the link to the other mode', async () => {
  const operator = await office.operator('viewer')
  const { merNo } = office.demo
  const seen = await operator.call('GET /developers', { query: { merNo } })
  assert.deepEqual(
    { merNo: seen.merNo, otherUrl: seen.otherUrl },
    { merNo, otherUrl: 'https://live.example' },
  )
  assert.equal(
    (await operator.attempt('GET /developers', { query: { merNo: 99 } })).problem?.code,
    'not-found',
  )
})
