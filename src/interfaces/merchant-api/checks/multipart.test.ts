// Sends uploads over real connections through all checks. Also sends malformed multipart bodies.
import assert from 'node:assert/strict'
import { sign } from 'node:crypto'
import { after, test } from 'node:test'
import { rsaPair } from '../../../../test/builders/rsa-keys.ts'
import { aMerchant, buildFrame, MER_NO, signed } from '../../../../test/harness/merchant-frame.ts'
import { canonicalString } from '../../../money/merchants/sign-fields.ts'
import type { CheckedRequest } from './check-request.ts'
import { checkMultipartType, parseMultipart } from './multipart.ts'

const rsa = rsaPair('merchant')
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
  const envelope: { code: string; message: string } = JSON.parse(await answer.text())
  return { status: answer.status, ...envelope }
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

test('uploads are checked in the same order as other requests', async () => {
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

test('the last of several values counts, and files under other names are ignored', async () => {
  const form = formOf({ merNo: '7' })
  for (const [name, value] of Object.entries(signedFields(good))) form.append(name, value)
  form.append('other', new Blob(['x']), 'other.txt')
  assert.equal((await upload(form)).code, '00000')
  assert.deepEqual(Object.keys(reached.at(-1)?.fields ?? {}), ['merNo', 'type', 'sign'])
})

test('a body that is not a form gives 415 or 99996', async () => {
  const json = { 'content-type': 'application/json' }
  const got = async (body: RequestInit['body'], type: string) => {
    const { status, code } = await upload(body, { 'content-type': type })
    return { status, code }
  }
  assert.deepEqual(await got('{}', json['content-type']), { status: 415, code: '99997' })
  assert.deepEqual(await got('a=b', 'application/x-www-form-urlencoded'), { status: 415, code: '99997' })
  assert.deepEqual(await got('x', 'multipart/form-data'), { status: 415, code: '99997' })
  assert.deepEqual(await got('x', 'multipart/mixed; boundary=b'), { status: 415, code: '99997' })
  assert.deepEqual(await got('', 'multipart/form-data; boundary=b'), { status: 200, code: '99996' })
  assert.deepEqual(await got('x', 'multipart/form-data; boundary=b'), { status: 200, code: '99996' })
  assert.deepEqual(await got('--b\r\n\r\n', 'multipart/form-data; boundary=b'), {
    status: 200,
    code: '99996',
  })
})

test('a body of 2 MiB and 64 KiB is read; a larger one gives 413', async () => {
  const most = 2 * 1024 * 1024 + 64 * 1024
  const fields = signedFields(good)
  const around = (await new Response(formOf(fields, [Buffer.alloc(0)])).arrayBuffer()).byteLength
  const sized = (size: number) => formOf(fields, [Buffer.alloc(size - around, 'x')])
  assert.equal((await upload(sized(most))).code, '00000')
  const { status, code, message } = await upload(sized(most + 1))
  assert.deepEqual({ status, code }, { status: 413, code: '99997' })
  assert.match(message, /2 MiB and 64 KiB/)
  assert.equal((await upload(sized(10_000_000))).status, 413)
})

async function bytesOf(form: FormData): Promise<{ bytes: Buffer; boundary: string }> {
  const made = new Response(form)
  const bytes = Buffer.from(await made.arrayBuffer())
  return { bytes, boundary: checkMultipartType(made.headers.get('content-type') ?? '') }
}

test('a truncated form is refused, wherever it ends', async () => {
  const { bytes, boundary } = await bytesOf(formOf(good))
  const whole = bytes.lastIndexOf('--') + 2
  for (let end = 1; end < whole; end++)
    assert.throws(() => parseMultipart(bytes.subarray(0, end), boundary), { code: '99996' }, `at ${end}`)
  assert.deepEqual(parseMultipart(bytes.subarray(0, whole), boundary).body, good)
})

const part = (name: string, content = 'x') =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`

function parse(text: string) {
  return parseMultipart(Buffer.from(text, 'latin1'), 'b')
}

test('parsing stops at the first part beyond the limit', () => {
  const most = part('a').repeat(32)
  assert.deepEqual(parse(`${most}--b--`).body, { a: 'x' })
  assert.throws(() => parse(`${most}${part('a')}--b--`), { code: '99997' })
  // The parser stops at the limit. If it went on, it would fail with another error.
  assert.throws(() => parse(`${most}--b\r\nno header`), { code: '99997' })
})

test('extra bytes before, between or after the parts are refused', () => {
  const whole = `${part('a')}--b--\r\n`
  assert.deepEqual(parse(whole).body, { a: 'x' })
  const odd = [
    `preamble\r\n${whole}`,
    `\r\n\r\n${whole}`,
    `\n${whole}`,
    `${whole}epilogue`,
    `${whole}\r\n\r\n`,
    whole.replace('--b\r\n', '--b \r\n'),
    whole.replace('--b\r\n', '--b\n'),
    whole.replace('--b--', '--bb--'),
    whole.replaceAll('\r\n', '\n'),
    whole.replace('Content-Disposition', 'Content-Position'),
    whole.replace('form-data', 'attachment'),
    whole.replace('; name="a"', ''),
    whole.replace('"a"', '"a'),
    whole.replace('"a"', '"a"; x'),
    whole.replace('name="a"', 'name="a";'.repeat(1_000)),
    whole.replace('\r\n\r\n', `${'\r\nX: y'.repeat(16)}\r\n\r\n`),
    whole.replace('\r\n\r\n', `\r\nX: ${'y'.repeat(8 * 1024)}\r\n\r\n`),
  ]
  for (const text of odd) assert.throws(() => parse(text), { code: '99996' }, text.slice(0, 200))
})

test('a line break before the first boundary and one more after the last are accepted', () => {
  const whole = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n'
  for (const form of [whole, `\r\n${whole}`, `${whole}\r\n`, `\r\n${whole}\r\n`, whole.slice(0, -2)])
    assert.deepEqual(parseMultipart(Buffer.from(form), 'b').body, { a: '1' }, JSON.stringify(form))
})

test('names are parsed as browsers and HTTP libraries write them', () => {
  const named = (parameters: string) =>
    parse(`--b\r\ncontent-disposition:form-data;${parameters}\r\nX: y\r\n\r\n1\r\n--b--`)
  assert.deepEqual(named(' name=merNo').body, { merNo: '1' })
  assert.deepEqual(named('NAME="a \\"b\\\\ ;c"').body, { 'a "b\\ ;c': '1' })
  assert.deepEqual(named('name="file"; filename="a;b.pdf"').files, [Buffer.from('1')])
  assert.deepEqual(named("name=other; filename*=utf-8''x").body, {})
})

test('a boundary may be quoted, and must be valid', () => {
  const of = (rest: string) => checkMultipartType(`multipart/form-data${rest}`)
  assert.equal(of('; boundary=----Web(1)'), '----Web(1)')
  assert.equal(of(';charset=utf-8;Boundary="a b; c"'), 'a b; c')
  for (const rest of ['', ';', '; boundary=', '; boundary=""', `; boundary=${'b'.repeat(71)}`])
    assert.throws(() => of(rest), { status: 415 }, rest)
})

test('a part whose headers never end is refused', async () => {
  const { status, code } = await upload('--b\r\nContent-Disposition: form-data; name="a"\r\n--b--\r\n', {
    'content-type': 'multipart/form-data; boundary=b',
  })
  assert.deepEqual({ status, code }, { status: 200, code: '99996' })
})

test('too many parts, long fields, text that is not UTF-8 and a key of __proto__ do no harm', async () => {
  const many = new FormData()
  for (let count = 0; count < 1000; count++) many.append('a', 'x')
  const one = async (name: string, value: string | Blob) => {
    const form = new FormData()
    form.append(name, value)
    const { bytes, boundary } = await bytesOf(form)
    return parseMultipart(bytes, boundary)
  }
  const { bytes, boundary } = await bytesOf(many)
  assert.throws(() => parseMultipart(bytes, boundary), { code: '99997' })
  await assert.rejects(one('a', 'x'.repeat(8 * 1024 + 1)), { code: '99997' })
  assert.throws(() => parse(`${part('a', 'K\xf6ln')}--b--\r\n`), { code: '99996' })
  const { body } = await one('__proto__', 'x')
  assert.equal(Object.getPrototypeOf(body), Object.prototype)
  assert.deepEqual(Object.keys(body), ['__proto__'])
})
