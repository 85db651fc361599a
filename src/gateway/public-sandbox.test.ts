// A sandbox that listens on every address, so other machines can reach it.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openReceiver, type Receiver } from '../../test/counterparties/receiver.ts'
import { type BackOffice, openBackOffice } from '../../test/harness/back-office.ts'
import { pay } from '../../test/harness/client.ts'
import { eventually } from '../../test/harness/eventually.ts'
import type { Exercised } from '../interfaces/exam/exercise.ts'

let office: BackOffice
let receiver: Receiver
before(async () => {
  office = await openBackOffice({ HOST: '0.0.0.0' })
  receiver = await openReceiver()
})
after(async () => {
  await receiver.close()
  await office.close()
})

const mailPage = (cookie = '') => fetch(`${office.baseUrl}/sandbox/mail`, { headers: { cookie } })

test('only operators who may change the platform read the mails', async () => {
  const { merNo } = office.demo
  const [owner, viewer, admin] = await Promise.all([
    office.person(merNo, 'owner'),
    office.operator('viewer'),
    office.operator(),
  ])
  const email = 'new-colleague@operator.example'
  await admin.call('POST /users', { body: { email, name: 'New', role: 'viewer' } })
  for (const cookie of ['', 'tollgate=made-up', owner.cookie, viewer.cookie]) {
    const page = await mailPage(cookie)
    assert.equal(page.status, 401)
    const text = await page.text()
    assert.doesNotMatch(text, /new-colleague/)
    assert.match(text, /href="\.\.\/backoffice">Sign in/)
  }
  const page = await mailPage(admin.cookie)
  assert.equal(page.status, 200)
  assert.match(await page.text(), /new-colleague@operator\.example/)
})

test("the documentation hides the demo merchant's key, although a request names a loopback host", async () => {
  assert.equal(new URL(office.baseUrl).hostname, 'localhost')
  const text = await (await fetch(`${office.baseUrl}/docs/quick-start`)).text()
  assert.match(text, new RegExp(`MERNO=${office.demo.merNo}.*YOUR_KEY`, 's'))
  assert.equal(text.includes(office.demo.key), false)
})

test('a notification address on loopback is refused', async () => {
  const { code, message } = await pay(office.demo, { notifyUrl: `${receiver.url}/ok` })
  assert.deepEqual(
    { code, saysWhy: /notifyUrl must not point to a loopback address/.test(message) },
    { code: '99997', saysWhy: true },
  )
})

test('an exam makes its orders, and sends nothing to loopback', async () => {
  const developer = await office.person(office.demo.merNo, 'developer')
  await developer.call('POST /exams', { body: { notifyUrl: `${receiver.url}/ok` } })
  const newest = async () => (await developer.call('GET /exams', {})).runs[0]
  assert.ok(await eventually(async () => ['done', 'failed'].includes((await newest())?.state ?? '')))
  const exercises = (await newest())?.result?.exercises as readonly Exercised[]
  const sent = exercises.flatMap(({ deliveries }) => deliveries)
  assert.ok(sent.length > 0, JSON.stringify(exercises[0]))
  for (const { wrong } of sent) assert.match(wrong ?? '', /^127\.0\.0\.1 is private or reserved/)
  assert.deepEqual(receiver.received(), [])
})

test('TOLLGATE_NOTIFY_ALLOW opens an address again', async () => {
  const open = await openBackOffice({ HOST: '0.0.0.0', TOLLGATE_NOTIFY_ALLOW: '127.0.0.1' })
  try {
    const { code } = await pay(open.demo, { notifyUrl: `${receiver.url}/ok` })
    assert.equal(code, '00000')
    assert.ok(await eventually(() => receiver.received('/ok').length === 1))
  } finally {
    await open.close()
  }
})
