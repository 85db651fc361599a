// Compares refunds and returns of rejected payments with the counterparties' books.
import { attemptReference } from '../../src/money/orders/order.ts'
import { refundReference } from '../../src/money/refunds/refund.ts'
import { returnReference } from '../../src/money/reviews/review.ts'
import type { Check, Finding } from '../check.ts'
import { readCounterpartyBooks, type TheirRefund } from '../counterparty-books.ts'
import type { World } from '../world/world.ts'

type OurRefund = {
  readonly merOrderNo: string
  /** The reference of the payment. */
  readonly reference: string
  readonly amount: bigint
  readonly currency: string
  readonly state: string
  readonly refundNo: string
  readonly asks: number
}

export const refundsAgree: Check = {
  name: "refunds agree with the counterparties' books",
  promise:
    'A refund succeeded here exactly if its counterparty paid it, with the same amount for the same payment.',
  async run(world) {
    const { refunds: theirs } = readCounterpartyBooks(world.dataDir)
    const ours = new Map([...(await readRefunds(world)), ...(await readReturns(world))])
    const byReference = new Map(theirs.map((refund) => [refund.refundReference, refund]))
    const references = new Set([...ours.keys(), ...byReference.keys()])
    const findings: Finding[] = []
    for (const reference of references) {
      const [our, their] = [ours.get(reference), byReference.get(reference)]
      const what = complaintOf(our, their)
      if (what === undefined || (our !== undefined && wasOvertaken(world, our))) continue
      findings.push({
        what: `refund ${reference}: ${what}`,
        about: our?.merOrderNo ?? their?.reference ?? '',
        rows: { our, their },
      })
    }
    return { compared: references.size, findings }
  },
}

/**
 * True if a worker called again after an operator had looked into the counterparty's book and before the operator
 * decided.
 */
function wasOvertaken({ witness }: World, { refundNo, asks }: OurRefund): boolean {
  const seen = witness.decidedByHand.get(refundNo)
  return seen !== undefined && seen !== asks
}

function complaintOf(our: OurRefund | undefined, their: TheirRefund | undefined): string | undefined {
  if (our === undefined) return 'the counterparty knows it, and nobody here does'
  if (their === undefined) return our.state === 'succeeded' ? 'succeeded here, unknown there' : undefined
  if (our.amount !== their.amount || our.currency !== their.currency)
    return 'the amounts or currencies differ'
  if (our.reference !== their.reference) return 'the payments differ'
  if (our.state === 'waiting') return 'waits for approval here, and was sent'
  // In a counterparty's book, a returned refund still counts as paid.
  if (their.succeeds)
    return our.state === 'succeeded' || our.state === 'returned' ? undefined : `paid there, ${our.state} here`
  return our.state === 'failed' ? undefined : `failed there, ${our.state} here`
}

type RefundRow = {
  readonly refund_no: string
  readonly mer_order_no: string
  readonly trade_no: string
  readonly attempt_no: number
  readonly amount: bigint
  readonly currency: string
  readonly state: string
  readonly asks: number
}

async function readRefunds({ db, shops }: World): Promise<[string, OurRefund][]> {
  const rows = await db.query<RefundRow>({
    text: `
      select refund_no, mer_order_no, trade_no, attempt_no, amount, currency, state, asks from refunds
      where mer_no = any ($1::bigint[])`,
    values: [shops.map(({ merNo }) => merNo)],
  })
  return rows.map((row) => [refundReference(row.refund_no), toRefund(row, row.state)])
}

type ReturnRow = Omit<RefundRow, 'refund_no' | 'asks'> & { readonly returns: number }

/**
 * Reads the returns of rejected payments. Only the last return of a review may succeed, because all earlier returns
 * were declined.
 */
async function readReturns({ db, shops }: World): Promise<[string, OurRefund][]> {
  const rows = await db.query<ReturnRow>({
    text: `
      select o.mer_order_no, o.trade_no, a.attempt_no, o.amount, o.currency, r.state, r.returns
      from reviews r join orders o using (mer_no, trade_no)
        join attempts a on a.mer_no = o.mer_no and a.trade_no = o.trade_no and a.state = 'succeeded'
      where r.mer_no = any ($1::bigint[]) and r.returns > 0`,
    values: [shops.map(({ merNo }) => merNo)],
  })
  return rows.flatMap((row) =>
    Array.from({ length: row.returns }, (_, at): [string, OurRefund] => {
      const isLast = at + 1 === row.returns
      const state = isLast && row.state === 'returning' ? 'pending' : 'failed'
      const ended = isLast && row.state === 'rejected' ? 'succeeded' : state
      return [returnReference(row.trade_no, at + 1), toRefund(row, ended)]
    }),
  )
}

function toRefund(row: ReturnRow | RefundRow, state: string): OurRefund {
  const own = 'refund_no' in row ? { refundNo: row.refund_no, asks: row.asks } : { refundNo: '', asks: 0 }
  const { mer_order_no: merOrderNo, trade_no: tradeNo, attempt_no: attemptNo, amount, currency } = row
  return { ...own, merOrderNo, reference: attemptReference(tradeNo, attemptNo), amount, currency, state }
}
