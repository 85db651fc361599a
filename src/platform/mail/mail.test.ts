import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { type SmtpServer, startSmtpServer } from '../../../test/counterparties/smtp-server.ts'
import { eventually } from '../../../test/harness/eventually.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { systemClock } from '../base/clock.ts'
import { openVault } from '../base/secret.ts'
import { openLog } from '../runtime/log.ts'
import { enqueueMail } from './enqueue-mail.ts'
import { isMailAddress, type NewMail } from './mail.ts'
import { renderMail } from './render-mail.ts'
import { openTransport } from './transport.ts'
import { mailWords } from './words.ts'
import { cleanMails, startMail } from './worker.ts'

const vault = openVault(Buffer.alloc(32, 1))
const log = openLog('silent')
let server: SmtpServer
const database = useDatabase({
  async before() {
    server = await startSmtpServer()
  },
  after: () => server.close(),
})
beforeEach(() => database.db.query({ text: 'delete from mails' }))

const mail: NewMail = {
  merNo: 7,
  to: 'person@shop.example',
  template: 'invitation',
  language: 'en',
  values: { company: 'Shop', role: 'finance' },
  link: 'https://pay.example/backoffice/link#secret-token',
  now: new Date(),
}

function enqueue(changes: Partial<NewMail> = {}): Promise<void> {
  return database.db.transaction((tx) => enqueueMail(tx, vault, { ...mail, ...changes }))
}

function start(minuteMs = 60_000) {
  const transport = openTransport(
    { smtpUrl: server.url, mailFrom: 'Payments <pay@tollgate.example>' },
    'live',
  )
  return startMail({
    db: database.db,
    clock: systemClock,
    vault,
    log,
    mail: transport,
    minuteMs,
    everyMs: 1_000,
  })
}

type Row = { state: string; tries: number; error: string | null; sealed_link: Buffer | null }

async function rows(): Promise<Row[]> {
  return database.db.query<Row>({
    text: 'select state, tries, error, sealed_link from mails order by mail_id',
  })
}

const isSent = async () => (await rows()).every(({ state }) => state === 'sent')

test('a stored mail is sent as text and HTML, and its link is removed afterwards', async (t) => {
  await enqueue()
  const [stored] = await rows()
  assert.ok(!stored?.sealed_link?.includes('secret-token'), 'the link is stored encrypted')
  const worker = start()
  t.after(worker.stop)
  assert.ok(await eventually(isSent))
  const sent = server.mails.at(-1)
  assert.deepEqual({ from: sent?.from, to: sent?.to }, { from: 'pay@tollgate.example', to: [mail.to] })
  assert.match(sent?.data ?? '', /^Subject: You are invited to a payment back office$/m)
  assert.match(sent?.data ?? '', /multipart\/alternative/)
  assert.equal((sent?.data ?? '').replace(/=\n/g, '').split('link#secret-token').length, 3)
  assert.equal((await rows())[0]?.sealed_link, null)
})

test('a mail that the server refuses is tried again later, with the same Message-ID', async (t) => {
  const before = server.mails.length
  server.refuse(2)
  await enqueue()
  const worker = start(10)
  t.after(worker.stop)
  assert.ok(await eventually(isSent))
  assert.equal(server.mails.length, before + 1)
  const [row] = await rows()
  assert.deepEqual({ tries: row?.tries, error: row?.error }, { tries: 3, error: null })
  const idOf = (data = '') => /^Message-ID: (.*)$/im.exec(data)?.[1]
  const tried = [...server.refused, server.mails.at(-1)].map((one) => idOf(one?.data))
  assert.deepEqual({ tries: tried.length, ids: new Set(tried).size }, { tries: 3, ids: 1 })
})

test('a mail that is never taken ends as failed, with the reason', async (t) => {
  server.refuse(1_000)
  t.after(() => server.refuse(0))
  await enqueue()
  await database.db.query({ text: 'update mails set tries = 10' })
  const worker = start()
  t.after(worker.stop)
  assert.ok(await eventually(async () => (await rows())[0]?.state === 'failed'))
  assert.match((await rows())[0]?.error ?? '', /451/)
})

test('a mail whose last try ended the process fails, and is not sent once more', async (t) => {
  const before = server.mails.length
  await enqueue()
  await database.db.query({ text: 'update mails set tries = 11' })
  const worker = start()
  t.after(worker.stop)
  assert.ok(await eventually(async () => (await rows())[0]?.state === 'failed'))
  assert.equal((await rows())[0]?.error, 'the process ended during the last try')
  assert.equal(server.mails.length, before)
})

test('without a mail server, live says so and keeps the mail as failed', async (t) => {
  await enqueue()
  const mail = openTransport({ smtpUrl: undefined, mailFrom: undefined }, 'live')
  const worker = startMail({
    db: database.db,
    clock: systemClock,
    vault,
    log,
    mail,
    minuteMs: 60_000,
    everyMs: 1_000,
  })
  t.after(worker.stop)
  assert.ok(await eventually(async () => (await rows())[0]?.state === 'failed'))
  assert.match((await rows())[0]?.error ?? '', /TOLLGATE_SMTP_URL/)
})

test('without the change, no mail: a rolled back transaction leaves none', async () => {
  const failing = database.db.transaction(async (tx) => {
    await enqueueMail(tx, vault, mail)
    throw new Error('the change failed')
  })
  await assert.rejects(failing, /the change failed/)
  assert.deepEqual(await rows(), [])
})

test('nothing that people type begins a header', async (t) => {
  const company = 'Shop\r\nBcc: victim@shop.example\r\n\r\nHello\u2028'
  await enqueue({ values: { company, role: 'x\nX-Evil: 1' } })
  const worker = start()
  t.after(worker.stop)
  assert.ok(await eventually(isSent))
  const sent = server.mails.at(-1)
  assert.deepEqual(sent?.to, [mail.to])
  const [head = ''] = (sent?.data ?? '').split('\n\n')
  assert.doesNotMatch(head, /^(bcc|x-evil):/im)
})

test('mail goes to plain addresses only', async () => {
  const bad = [
    'a@b\r\nBcc: c@d',
    'a b@c.example',
    '"x"@c.example',
    'a@c.example, d@e.example',
    '@c.example',
    'a@',
  ]
  assert.deepEqual(bad.filter(isMailAddress), [])
  const good = ['first.last+tag@sub.example.com', "o'neil@shop.example", '用户@shop.example', 'a@localhost']
  assert.deepEqual(good.filter(isMailAddress), good)
  await assert.rejects(enqueue({ to: 'a@b\r\nBcc: c@d' }), /checked addresses/)
})

test('every template says the same in both languages, and only text of people is escaped', () => {
  for (const template of Object.keys(mailWords.en) as (keyof typeof mailWords.en)[])
    for (const language of ['en', 'zh'] as const) {
      const { subject, text, html } = renderMail(
        template,
        language,
        { company: '<b>&', role: 'r' },
        'https://x',
      )
      assert.ok(
        subject.length > 0 && text.includes('https://x') && html.includes('href="https://x"'),
        template,
      )
      assert.ok(!html.includes('<b>&'), template)
      assert.ok(!subject.includes('https://x'), 'a subject never holds the link')
    }
})

test('mails older than 30 days are deleted', async () => {
  await enqueue({ now: new Date(Date.now() - 31 * 86_400_000) })
  await enqueue()
  await database.db.query({ text: `update mails set state = 'sent'` })
  assert.equal(await cleanMails({ db: database.db, clock: systemClock }), 1)
  assert.equal((await rows()).length, 1)
})

test('the subjects of mails that anybody can cause hold nothing that people typed', () => {
  const typed = { company: 'Win a prize at evil.example '.repeat(40), role: 'Prize', name: 'Prize' }
  for (const language of ['en', 'zh'] as const)
    for (const template of [
      'registration',
      'already-registered',
      'reset',
      'invitation',
      'invitation-taken',
    ] as const) {
      const { subject, lines } = renderMail(template, language, typed)
      assert.ok(!/prize|evil/i.test(subject), `${template}: ${subject}`)
      assert.ok(
        lines.every((line) => line.length < 1_200 && !/[\r\n]/.test(line)),
        template,
      )
    }
})
