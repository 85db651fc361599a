// Mutations of an HTTP head: its first line, headers with a meaning for the receiver, and bytes that do not belong
// there.
import type { Random } from '../../test/harness/random.ts'
import { mutateText, pickToken } from './text.ts'

const LINE_END = '\r\n'

/** Headers with a meaning for some receiver, many of them with invalid values. */
const headers: readonly string[] = [
  'transfer-encoding: chunked',
  'transfer-encoding: gzip, chunked',
  'transfer-encoding: identity',
  'content-length: 0',
  'content-length: 5',
  'content-length: -1',
  'content-length: 99999999999999999999',
  'content-encoding: gzip',
  'content-type: application/json; charset=utf-16',
  'content-type: multipart/form-data',
  'content-type: application/x-www-form-urlencoded',
  'connection: close',
  'connection: upgrade',
  'upgrade: websocket',
  'upgrade: h2c',
  'expect: 100-continue',
  'expect: something',
  'trailer: x-late',
  'te: trailers',
  'host: other.example',
  'host:',
  'referer:',
  'referer: https://',
  'referer: https://user:pass@xn--/',
  'cookie: a=b; a=c; ; =; __proto__=1',
  'accept-language: *;q=0, en;q=9, x-klingon, zh-Hant-TW-u-co-stroke',
  'accept-language: ',
  'x-forwarded-for: ::1, 10.0.0.1, not an address',
  'x-request-id: 1',
  'sec-fetch-site: cross-site',
  'if-none-match: *',
  'range: bytes=0-0,-1',
  'paymentType: PIX',
  'paymentType: constructor',
]

const verbs: readonly string[] = [
  'GET',
  'POST',
  'PUT',
  'HEAD',
  'OPTIONS',
  'DELETE',
  'TRACE',
  'CONNECT',
  'PRI',
  'get',
  '',
]
const versions: readonly string[] = ['HTTP/1.0', 'HTTP/1.1', 'HTTP/2.0', 'HTTP/0.9', 'HTTP/1.1 ', '']
const paths: readonly string[] = [
  '/payment',
  '/payment/',
  '//payment',
  '/Payment',
  '/%70ayment',
  '/payment?x=1',
  '/payment#x',
  '*',
  'http://127.0.0.1/payment',
  '/callbacks/card',
  '/callbacks/constructor',
  '/pay/x',
  '/pay/%00',
  '/pay/%E0%A4%A',
  '/payout/x',
  '/assets/pay.css',
  '/assets/..%2f..%2fpackage.json',
  '/healthz',
  '/readyz',
  '/metrics',
  '/',
]

export function mutateHead(head: string, random: Random, other: string): string {
  const [first = '', ...lines] = head.split(LINE_END)
  const at = random.below(lines.length + 1)
  const way = random.below(8)
  if (way === 0) return mutateText(head, random, other)
  if (way === 1) return join(firstLine(first, random), lines)
  if (way === 2) return join(first, lines.toSpliced(at, 1))
  if (way === 3) return join(first, lines.toSpliced(at, 0, lines[random.below(lines.length)] ?? ''))
  if (way === 4) return join(first, lines.toSpliced(at, 1, mutateText(lines[at] ?? '', random, other)))
  if (way === 5) return join(first, [...lines, `${pickToken(random)}: ${pickToken(random)}`])
  if (way === 6) return join(first, lines.toSpliced(at, 0, ...folded(random)))
  return join(first, lines.toSpliced(at, 0, random.pick(headers) ?? ''))
}

function join(first: string, lines: readonly string[]): string {
  return [first, ...lines].join(LINE_END)
}

function firstLine(line: string, random: Random): string {
  const [verb = '', path = '', version = ''] = line.split(' ')
  const changed = [
    random.chance(0.5) ? (random.pick(verbs) ?? '') : verb,
    random.chance(0.5) ? (random.pick(paths) ?? '') : mutateText(path, random),
    random.chance(0.2) ? (random.pick(versions) ?? '') : version,
  ]
  return changed.join(' ')
}

function folded(random: Random): string[] {
  const many = Array.from({ length: 1 + random.below(300) }, (_, at) => `x-${at}: ${at}`)
  return (
    random.pick([
      ['x-folded: a', ' b'],
      ['x-long: '.padEnd(random.below(40_000), 'y')],
      many,
      ['no colon'],
      [''],
    ]) ?? []
  )
}
