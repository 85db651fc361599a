// The chargebacks of Pix. Under the central bank's refund mechanism (MED), the payer's bank can take a received Pix
// back. Such a return is listed among the refunds (devoluções) of the Pix, with a nature (natureza) that begins with
// MED.

import type { Clock } from '../../../platform/base/clock.ts'
import { parseAmount } from '../../../platform/base/money.ts'
import { type Fields, isObject } from '../../../platform/base/object.ts'
import type { Dispute, Disputes } from '../../contract/channel.ts'
import { withDeadline } from '../../toolkit/deadline.ts'
import { unknown } from '../../toolkit/outcomes.ts'
import { readTime } from '../../toolkit/read-time.ts'
import type { Reply } from '../../toolkit/transport.ts'
import type { PixApi } from './api.ts'

/**
 * Returns the disputes in a list of received Pix. Undefined if the list or a dispute is malformed, because skipping a
 * dispute would lose a chargeback.
 */
export function disputesIn(received: unknown): readonly Dispute[] | undefined {
  if (!Array.isArray(received)) return undefined
  const read = received.filter(isObject).flatMap((pix) => takenBack(pix).map((one) => disputeOf(pix, one)))
  const disputes = read.filter((dispute) => dispute !== undefined)
  return disputes.length === read.length ? disputes : undefined
}

/**
 * Lists the returns of a Pix under MED. For a Pix without a txid, the list is empty, because such a Pix belongs to no
 * payment of ours.
 */
function takenBack({ txid, devolucoes }: Fields): readonly Fields[] {
  if (typeof txid !== 'string' || !Array.isArray(devolucoes)) return []
  return devolucoes.filter(isObject).filter(isMed)
}

function isMed({ natureza, status }: Fields): boolean {
  return typeof natureza === 'string' && natureza.startsWith('MED') && status === 'DEVOLVIDO'
}

function disputeOf({ txid, endToEndId, horario }: Fields, devolucao: Fields): Dispute | undefined {
  const { natureza, valor, id, rtrId } = devolucao
  const amount = typeof valor === 'string' ? parseAmount(valor, 'BRL') : undefined
  const at = returnedAt(devolucao) ?? readTime(horario)
  const own = [rtrId, id].find((one) => typeof one === 'string' && one !== '')
  if (amount === undefined || amount === 0n || at === undefined || own === undefined) return undefined
  // Returns of two different Pix could have the same id, so the end-to-end id of the Pix is required.
  if (typeof endToEndId !== 'string' || endToEndId === '') return undefined
  return {
    disputeRef: `${endToEndId}-${own}`,
    reference: String(txid),
    money: { amount, currency: 'BRL' },
    reason: String(natureza),
    at,
  }
}

function returnedAt({ horario }: Fields): Date | undefined {
  const { liquidacao, solicitacao } = isObject(horario) ? horario : {}
  return readTime(liquidacao) ?? readTime(solicitacao)
}

// Polling of returns under MED. A return may come months after the payment, and not every bank sends a webhook. So the
// gateway lists all Pix of the last 120 days that have refunds.

const DAY_MS = 86_400_000
/** Banks accept returns for 90 days after the Pix, and may refuse to list older Pix. */
const RETURNED_DAYS = 89
/**
 * The listed periods, in days before now. The periods are short, because a bank may refuse a long period. The oldest
 * period finds returns that came while the gateway or the bank's list was down.
 */
const parts = [
  { from: 60, to: 0 },
  { from: RETURNED_DAYS, to: 60 },
  { from: 120, to: RETURNED_DAYS },
]
/** The polling interval. The worker asks every few seconds, and in between it gets the last list again. */
const LISTED_MS = 15 * 60_000
const FAILED_MS = 60_000
const PAGE = 100
const MAX_PAGES = 1_000

type MedOptions = { readonly api: PixApi; readonly clock: Clock; readonly timeoutMs: number }

export function createMedList(options: MedOptions): (since: Date) => Promise<Disputes> {
  const { clock } = options
  let last: Disputes = unknown('the bank was not asked yet')
  let nextAt = 0
  return async (since) => {
    const now = clock.now()
    if (now.getTime() >= nextAt) {
      last = await listAll(options, now)
      nextAt = now.getTime() + (last.kind === 'listed' ? LISTED_MS : FAILED_MS)
      // A new list is returned as a whole, even the entries before `since`. If a return has no time, it gets the time
      // of its Pix, which may be weeks before `since`.
      return last
    }
    return last.kind === 'listed' ? { ...last, list: last.list.filter(({ at }) => at >= since) } : last
  }
}

async function listAll(options: MedOptions, now: Date): Promise<Disputes> {
  const found: Dispute[] = []
  for (const part of parts) {
    const listed = await listPart(options, now, part)
    // A bank may refuse to list the oldest period, so a failure of that period is ignored.
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
  // The number of pages is needed, because without it further returns could be missed.
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
