// Finds the returns under MED, which may come months after the payment and which not every bank announces: asks for all Pix of
// the last 120 days that have returns.
import type { Clock } from '../../base/clock.ts'
import { isObject } from '../../base/object.ts'
import type { Dispute, Disputes } from '../contract.ts'
import { withDeadline } from '../deadline.ts'
import type { Reply } from '../transport.ts'
import { disputesIn } from './med.ts'
import type { PixApi } from './pix-api.ts'
import { unknown } from './wire.ts'

const DAY_MS = 86_400_000
/** A bank accepts returns for 90 days, and may refuse to list a time that began a second earlier. */
const RETURNED_DAYS = 89
/** Days ago. A bank may refuse a long time at once. The last part is for returns that came while we, or the list, were down. */
const parts = [
  { from: 60, to: 0 },
  { from: RETURNED_DAYS, to: 60 },
  { from: 120, to: RETURNED_DAYS },
]
/** The worker asks every few seconds, the bank is asked less often. */
const LISTED_MS = 15 * 60_000
const FAILED_MS = 60_000
const PAGE = 100
const MAX_PAGES = 1_000

export type MedOptions = { readonly api: PixApi; readonly clock: Clock; readonly timeoutMs: number }

export function createMedList(options: MedOptions): (since: Date) => Promise<Disputes> {
  const { clock } = options
  let last: Disputes = unknown('the bank was not asked yet')
  let nextAt = 0
  return async (since) => {
    const now = clock.now()
    if (now.getTime() >= nextAt) {
      last = await listAll(options, now)
      nextAt = now.getTime() + (last.kind === 'listed' ? LISTED_MS : FAILED_MS)
      // All of them: one without a time of its own has the time of its Pix, which may be weeks before `since`.
      return last
    }
    return last.kind === 'listed' ? { ...last, list: last.list.filter(({ at }) => at >= since) } : last
  }
}

async function listAll(options: MedOptions, now: Date): Promise<Disputes> {
  const found: Dispute[] = []
  for (const part of parts) {
    const listed = await listPart(options, now, part)
    // A bank may list nothing that is older.
    if (listed.kind === 'unknown' && part.to >= RETURNED_DAYS) break
    if (listed.kind === 'unknown') return listed
    found.push(...listed.list)
  }
  return { kind: 'listed', list: found.sort((one, other) => one.at.getTime() - other.at.getTime()) }
}

type Part = (typeof parts)[number]

async function listPart({ api, timeoutMs }: MedOptions, now: Date, part: Part): Promise<Disputes> {
  const list: Dispute[] = []
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const reply = await withDeadline(timeoutMs, (signal) =>
      api({ method: 'GET', path: pathOf(now, part, page) }, signal),
    )
    const read = readPage(reply)
    if (typeof read === 'string') return unknown(read)
    list.push(...read.disputes)
    if (page + 1 >= read.pages) return { kind: 'listed', list }
  }
  return unknown('the bank lists more Pix than can be read')
}

function pathOf(now: Date, { from, to }: Part, page: number): string {
  const ago = (days: number) => new Date(now.getTime() - days * DAY_MS).toISOString()
  const query = new URLSearchParams({
    inicio: ago(from),
    fim: ago(to),
    devolucaoPresente: 'true',
    'paginacao.paginaAtual': String(page),
    'paginacao.itensPorPagina': String(PAGE),
  })
  return `/pix?${query}`
}

function readPage(reply: Reply): { disputes: readonly Dispute[]; pages: number } | string {
  if (reply.kind !== 'answer') return reply.why
  const body = reply.status === 200 && isObject(reply.body) ? reply.body : undefined
  if (body === undefined) return `the bank responded ${reply.status}`
  const disputes = disputesIn(body.pix)
  if (disputes === undefined) return 'the bank sent a return that cannot be read'
  const pages = pagesIn(body.parametros) ?? (isFull(body.pix) ? undefined : 1)
  // The rest would be lost without anybody knowing.
  return pages === undefined ? 'the bank sent a full page, and not how many there are' : { disputes, pages }
}

function isFull(pix: unknown): boolean {
  return Array.isArray(pix) && pix.length >= PAGE
}

function pagesIn(parametros: unknown): number | undefined {
  const { paginacao } = isObject(parametros) ? parametros : {}
  const pages = isObject(paginacao) ? paginacao.quantidadeDePaginas : undefined
  return typeof pages === 'number' ? pages : undefined
}
