import { addEvidence } from '../../../money/chargebacks/add-evidence.ts'
import {
  type Chargeback,
  type DisputePosition,
  isOverdue,
  positionOf,
} from '../../../money/chargebacks/chargeback.ts'
import { lookAtDeadline, setDeadline } from '../../../money/chargebacks/deadlines.ts'
import {
  findDispute,
  listByDeadline,
  listEvidence,
  openEvidenceFile,
} from '../../../money/chargebacks/find-chargeback.ts'
import { openChargeback } from '../../../money/chargebacks/open-chargeback.ts'
import { categoryOf, listReasons, readReasons, reasonInWords } from '../../../money/chargebacks/reasons.ts'
import { resolveChargeback } from '../../../money/chargebacks/resolve-chargeback.ts'
import type { Merchant } from '../../../money/merchants/merchant.ts'
import { findPayment } from '../../../money/order-queries/find-payment.ts'
import { actorOf, type Caller, isOperator, listedMerchant } from '../../../people/roles/caller.ts'
import { audited } from '../../../platform/audit-log/write-entry.ts'
import type { Clock } from '../../../platform/base/clock.ts'
import { merNoOf } from '../../../platform/base/id.ts'
import { type Money, parseDecimal } from '../../../platform/base/money.ts'
import type { Vault } from '../../../platform/base/secret.ts'
import { atField, Problem } from '../../../platform/errors/problem.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import { lineAbout } from '../audit-lines.ts'
import { edit, versionOf } from '../edit.ts'
import { ownOnly } from '../merchant-of-call.ts'
import { toMoney } from '../money.ts'
import { briefsOf, orderIn } from '../orders/brief-order.ts'
import type { Handlers } from '../route.ts'
import { PAGE_ROWS, pageFrom } from '../schemas.ts'
import type { disputesApi } from './api.ts'
import { readDisputedOrder } from './disputed-order.ts'

export type DisputeHandlerDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly vault: Vault
  findMerchant(merNo: number): Merchant | Promise<Merchant | undefined>
  readonly pokeDelivery: () => void
}

const MOST_FILE_BYTES = 2 * 1024 * 1024

export function createDisputeHandlers(deps: DisputeHandlerDeps): Handlers<typeof disputesApi> {
  const { db, clock, vault, pokeDelivery } = deps
  const findMerchant = async (merNo: number) => deps.findMerchant(merNo)

  async function find(caller: Caller, tradeNo: string): Promise<Chargeback> {
    const found = await findDispute(db, ownOnly(caller, tradeNo), tradeNo)
    if (found === undefined) throw new Problem('not-found', `There is no dispute about ${tradeNo}.`)
    return found
  }

  return {
    async 'GET /disputes'({ caller, query: { state, merNo, after } }) {
      const of = listedMerchant(caller, merNo)
      const position = readAfter(after)
      const found = await listByDeadline(db, state, { merNo: of, after: position, limit: PAGE_ROWS + 1 })
      const inWords = await readReasons(db)
      const now = clock.now()
      const page = pageFrom(found, writeAfter)
      const briefs = await briefsOf(db, caller, page.rows)
      const rows = page.rows.map((one) => ({
        ...toRow(one, inWords(one.reason), now),
        evidence: one.evidence,
        ...orderIn(briefs, one.tradeNo),
      }))
      return { ...page, rows }
    },

    async 'GET /dispute-reasons'() {
      return { reasons: await listReasons(db) }
    },

    async 'GET /disputes/:tradeNo'({ caller, params }) {
      const chargeback = await find(caller, params.tradeNo)
      const evidence = await listEvidence(db, chargeback)
      const order = caller.permissions.has('orders.read')
        ? await readDisputedOrder(deps, chargeback, isOperator(caller))
        : undefined
      return {
        dispute: toRow(chargeback, await reasonInWords(db, chargeback.reason), clock.now()),
        category: categoryOf(chargeback.reason),
        ...(order && { order }),
        evidence: evidence.map(({ evidenceId, note, file, by, at }) => ({
          evidenceId,
          note,
          ...(file && { file: { name: file.name, bytes: file.bytes } }),
          ...(by !== undefined && { by }),
          at: at.toISOString(),
        })),
      }
    },

    async 'POST /disputes/:tradeNo/evidence'({ caller, params: { tradeNo }, body: { note, file } }) {
      await find(caller, tradeNo)
      const content = file && Buffer.from(file.content, 'base64')
      if (content !== undefined && (content.length === 0 || content.length > MOST_FILE_BYTES))
        throw atField('file', 'Choose a file of at most 2 MiB.')
      const { name: by } = actorOf(caller)
      const after = { note, ...(file && { file: file.name }) }
      const line = lineAbout(caller, clock, { id: tradeNo, action: 'dispute.evidence', after })
      const { evidenceId } = await addEvidence(
        { db: audited(db, line), vault },
        { tradeNo, note, file: file && content && { name: file.name, content }, by, at: clock.now() },
      )
      return { evidenceId }
    },

    async 'GET /disputes/:tradeNo/evidence/:evidenceId'({ caller, params: { tradeNo, evidenceId } }) {
      const chargeback = await find(caller, tradeNo)
      const isPart = (await listEvidence(db, chargeback)).some((one) => one.evidenceId === evidenceId)
      const file = isPart ? await openEvidenceFile(db, vault, chargeback.merNo, evidenceId) : undefined
      if (file === undefined) throw new Problem('not-found', 'There is no such file.')
      const bytes = async function* () {
        yield file.content
      }
      return { name: file.name, type: 'application/octet-stream', content: bytes() }
    },

    async 'POST /disputes'({ caller, body: { tradeNo, amount, reasonCode, reason } }) {
      const merNo = merNoOf(tradeNo)
      if (merNo === undefined) throw noOrder()
      const money =
        amount === undefined || amount === '' ? undefined : await readMoney(merNo, tradeNo, amount)
      const after = { reasonCode, ...(amount !== undefined && { amount }) }
      const line = lineAbout(caller, clock, { id: tradeNo, action: 'dispute.open', after, reason })
      const wanted = { money, reason: reasonCode, at: clock.now() }
      await openChargeback({ db: audited(db, line), findMerchant }, tradeNo, wanted)
      pokeDelivery()
      return {}
    },

    async 'POST /disputes/:tradeNo/deadline'({ caller, params: { tradeNo }, body }) {
      await find(caller, tradeNo)
      const { reason } = body
      const line = lineAbout(caller, clock, { id: tradeNo, action: 'dispute.deadline', reason })
      const look = (tx: Tx) => lookAtDeadline(tx, tradeNo)
      const seen = versionOf({ answerBy: body.seen === null ? null : new Date(body.seen) })
      await edit(db, { look, seen, line }, (to) => setDeadline(to, tradeNo, new Date(body.answerBy)))
      return {}
    },

    async 'POST /disputes/:tradeNo/resolve'({ caller, params: { tradeNo }, body: { outcome, reason } }) {
      const line = lineAbout(caller, clock, {
        id: tradeNo,
        action: 'dispute.resolve',
        after: { outcome },
        reason,
      })
      await resolveChargeback({ db: audited(db, line), findMerchant }, tradeNo, { outcome, at: clock.now() })
      pokeDelivery()
      return {}
    },
  }

  async function readMoney(merNo: number, tradeNo: string, text: string): Promise<Money> {
    const payment = await findPayment(db, { merNo, tradeNo })
    if (payment === undefined) throw noOrder()
    const { currency } = payment.money
    const amount = parseDecimal(text, currency)
    if (amount === undefined) throw atField('amount', 'Enter an amount such as 10.00.')
    return { amount, currency }
  }
}

function noOrder(): Problem {
  return atField('tradeNo', 'There is no order with this number.')
}

function writeAfter(last: Chargeback): string {
  const { isEnded, at, chargebackId } = positionOf(last)
  return `${isEnded ? 'ended' : 'open'}.${at.toISOString()}.${chargebackId}`
}

function readAfter(text: string | undefined): DisputePosition | undefined {
  if (text === undefined) return undefined
  const [, part, time = '', chargebackId = ''] =
    /^(ended|open)\.([\d:.TZ-]{24})\.(\w{1,40})$/.exec(text) ?? []
  const at = new Date(time)
  if (Number.isNaN(at.getTime())) throw new Problem('invalid', 'Open the list again.')
  return { isEnded: part === 'ended', at, chargebackId }
}

function toRow(chargeback: Chargeback, inWords: string, now: Date) {
  const { chargebackId, tradeNo, merNo, state, reason, money, fee, openedAt, resolvedAt, answerBy } =
    chargeback
  return {
    chargebackId,
    tradeNo,
    merNo,
    state,
    reason,
    reasonInWords: inWords,
    money: toMoney(money),
    fee: toMoney({ amount: fee, currency: money.currency }),
    openedAt: openedAt.toISOString(),
    ...(resolvedAt && { resolvedAt: resolvedAt.toISOString() }),
    ...(answerBy && { answerBy: answerBy.toISOString() }),
    isOverdue: isOverdue(chargeback, now),
  }
}
