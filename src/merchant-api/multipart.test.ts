// Uploads over real connections, through every check of the frame; and multipart bodies as nobody should send them.
import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { after, test } from 'node:test'
import { aMerchant, buildFrame, MER_NO, signed } from '../../test/merchant-frame.ts'
import { canonicalString } from '../merchants/sign-fields.ts'
import type { CheckedRequest } from './checked-request.ts'
import { parseMultipart } from './multipart.ts'

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const reached: CheckedRequest[] = []
const frame = await buildFrame({
  merchants: [aMerchant(), aMerchant({ merNo: 100002, rsaKey: rsa.publicKey, requireRsa: true })],
  handlers: {
    '/file/upload': async (request) => {
      reached.push(request)
      return { data: { fileId: 'F1' } }
    },
  },
})
const base = await frame.app.listen({ host: '127.0.0.1', port: 0 })
after(() => frame.app.close())

const content = Buffer.from('%PDF-1.7 \r\n--not a boundary\r\n\0\xff', 'latin1')

type Fields = Record<string, string>

function formOf(fields: Fields, files: readonly Buffer[] = [content]): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  for (const file of files) form.append('file', new Blob([new Uint8Array(file)]), 'statement.pdf')
  return form
}

function signedFields(fields: Fields): Fields {
  const body = signed(fields, ['type', 'merNo'])
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, String(value)]))
}

async function upload(body: RequestInit['body'], headers: Record<string, string> = {}) {
  const answer = await fetch(`${base}/file/upload`, { method: 'POST', body: body ?? null, headers })
  const told: { code: string; message: string } = JSON.parse(await answer.text())
  return { status: answer.status, ...told }
}

const good = { merNo: String(MER_NO), type: '.pdf' }

test('an upload signed by MD5 reaches its handler, the file byte for byte', async () => {
  assert.deepEqual((await upload(formOf(signedFields(good)))).code, '00000')
  const request = reached.at(-1)
  assert.deepEqual(request?.files, [content])
  assert.equal(request?.fields.type, '.pdf')
  assert.equal(request?.merchant.merNo, MER_NO)
})

test('an RSA signature covers every text field and not the file', async () => {
  const fields = { merNo: '100002', type: '.pdf', remark: 'Käufer & Söhne' }
  const made = sign('sha256', Buffer.from(canonicalString(fields)), rsa.privateKey).toString('base64')
  assert.equal((await upload(formOf({ ...fields, sign: made }))).code, '00000')
  assert.equal((await upload(formOf({ ...fields, sign: made }, [Buffer.from('another')]))).code, '00000')
  assert.equal((await upload(formOf({ ...fields, remark: 'x', sign: made }))).code, '10015')
  assert.equal((await upload(formOf({ ...fields, more: 'x', sign: made }))).code, '10015')
  assert.equal((await upload(formOf(signedFields({ merNo: '100002', type: '.pdf' })))).code, '10015')
})

test('the checks of an upload come in the order of all the others', async () => {
  const ladder: [Fields, string][] = [
    [{ type: '.pdf', sign: 'x' }, '10002'],
    [{ merNo: 'abc', type: '.pdf' }, '99996'],
    [{ merNo: '5', type: '', sign: '' }, '10004'],
    [{ merNo: String(MER_NO), sign: 'x' }, '10002'],
    [{ ...good }, '10002'],
    [{ ...good, sign: 'x' }, '10015'],
    [{ ...signedFields(good), sign: signedFields(good).sign?.toLowerCase() ?? '' }, '10015'],
    [signedFields({ ...good, version: 'V9' }), '10109'],
    [signedFields({ ...good, type: 'x'.repeat(256) }), '99997'],
  ]
  for (const [fields, code] of ladder) {
    const before = reached.length
    assert.equal((await upload(formOf(fields))).code, code, JSON.stringify(fields))
    assert.equal(reached.length, before)
  }
})

test('the last of several values counts, and parts that are files under other names are left out', async () => {
  const form = formOf({ merNo: '7' })
  for (const [name, value] of Object.entries(signedFields(good))) form.append(name, value)
  form.append('other', new Blob(['x']), 'other.txt')
  assert.equal((await upload(form)).code, '00000')
  assert.deepEqual(Object.keys(reached.at(-1)?.fields ?? {}), ['merNo', 'type', 'sign'])
})

test('a body that is no form is told so, as 415 or 99996', async () => {
  const json = { 'content-type': 'application/json' }
  const got = async (body: RequestInit['body'], type: string) => {
    const { status, code } = await upload(body, { 'content-type': type })
    return [status, code]
  }
  assert.deepEqual(await got('{}', json['content-type']), [415, '99997'])
  assert.deepEqual(await got('a=b', 'application/x-www-form-urlencoded'), [415, '99997'])
  assert.deepEqual(await got('x', 'multipart/form-data'), [415, '99997'])
  assert.deepEqual(await got('x', 'multipart/mixed; boundary=b'), [415, '99997'])
  assert.deepEqual(await got('', 'multipart/form-data; boundary=b'), [200, '99996'])
  assert.deepEqual(await got('x', 'multipart/form-data; boundary=b'), [200, '99996'])
  assert.deepEqual(await got('--b\r\n\r\n', 'multipart/form-data; boundary=b'), [200, '99996'])
})

test('a body of 2 MiB and 64 KiB is read, a little more is answered 413, and so are 10 MB', async () => {
  const most = 2 * 1024 * 1024 + 64 * 1024
  const fields = signedFields(good)
  const around = (await new Response(formOf(fields, [Buffer.alloc(0)])).arrayBuffer()).byteLength
  const sized = (size: number) => formOf(fields, [Buffer.alloc(size - around, 'x')])
  assert.equal((await upload(sized(most))).code, '00000')
  const { status, code, message } = await upload(sized(most + 1))
  assert.deepEqual([status, code], [413, '99997'])
  assert.match(message, /2 MiB and 64 KiB/)
  assert.equal((await upload(sized(10_000_000))).status, 413)
})

async function bytesOf(form: FormData): Promise<{ bytes: Buffer; type: string }> {
  const made = new Response(form)
  return { bytes: Buffer.from(await made.arrayBuffer()), type: made.headers.get('content-type') ?? '' }
}

test('a form that breaks off anywhere is refused at once', async () => {
  const { bytes, type } = await bytesOf(formOf(good))
  const whole = bytes.lastIndexOf('--') + 2
  const waits = async (end: number) => {
    const started = Date.now()
    await assert.rejects(parseMultipart(bytes.subarray(0, end), type), { code: '99996' }, `at ${end}`)
    return Date.now() - started >= 1_000
  }
  // A parser that waits for the rest does so every time; a machine that was busy does not.
  for (let end = 1; end < whole; end++)
    for (let tries = 1; await waits(end); tries++) assert.ok(tries < 5, `at ${end}`)
  assert.deepEqual((await parseMultipart(bytes.subarray(0, whole), type)).body, good)
})

test('a part whose headers never end is refused, and keeps nobody waiting for long', async () => {
  const { status, code } = await upload('--b\r\nContent-Disposition: form-data; name="a"\r\n--b--\r\n', {
    'content-type': 'multipart/form-data; boundary=b',
  })
  assert.deepEqual([status, code], [200, '99996'])
})

test('too many parts, long fields, text that is not UTF-8 and a key of __proto__ do no harm', async () => {
  const many = new FormData()
  for (let count = 0; count < 1000; count++) many.append('a', 'x')
  const one = async (name: string, value: string | Blob) => {
    const form = new FormData()
    form.append(name, value)
    const { bytes, type } = await bytesOf(form)
    return parseMultipart(bytes, type)
  }
  const { bytes, type } = await bytesOf(many)
  await assert.rejects(parseMultipart(bytes, type), { code: '99997' })
  await assert.rejects(one('a', 'x'.repeat(8 * 1024 + 1)), { code: '99997' })
  const latin1 = Buffer.from(
    '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nK\xf6ln\r\n--b--\r\n',
    'latin1',
  )
  await assert.rejects(parseMultipart(latin1, 'multipart/form-data; boundary=b'), { code: '99996' })
  const { body } = await one('__proto__', 'x')
  assert.equal(Object.getPrototypeOf(body), Object.prototype)
  assert.deepEqual(Object.keys(body), ['__proto__'])
})
