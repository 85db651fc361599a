// The orders and pages of this gateway to which inputs may refer, and fresh order numbers. Answers add orders, so that
// refunds, queries and forms usually find an order that is still open.
import { attemptReference } from '../src/money/orders/order.ts'
import type { Account } from '../test/harness/client.ts'
import { newNumber } from '../test/harness/client.ts'
import type { Random } from '../test/harness/random.ts'

export type KnownOrders = {
  /** Returns a function that finds the values of an input's marks. All marks of one kind are about the same order. */
  marks(): (name: string) => string | undefined
  /** Adds the orders, refunds, pages and files that an answer of the merchant interface names. */
  learn(path: string, answer: unknown): void
  add(kind: Kind, known: Known): void
  has(kind: Kind): boolean
}

export type Kind = 'paid' | 'pay' | 'payout' | 'review' | 'refund' | 'file' | 'pending'

export type Known = Readonly<Record<string, string>>

/** The number of orders that are kept of each kind. Older orders are mostly refunded or expired. */
const MOST = 200

export function openKnownOrders({ merNo, site }: Account, notifyUrl: string, random: Random): KnownOrders {
  const rings = new Map<Kind, Known[]>()
  const add = (kind: Kind, known: Known) => {
    const ring = rings.get(kind) ?? []
    ring.push(known)
    if (ring.length > MOST) ring.shift()
    rings.set(kind, ring)
  }
  return {
    marks() {
      const chosen = new Map<string, Known | undefined>()
      const own: Known = { merNo: String(merNo), site, notifyUrl, new: newNumber() }
      return (name) => {
        const [kind = '', field = ''] = name.split('_')
        if (own[name] !== undefined) return own[name]
        if (!isKind(kind)) return undefined
        if (!chosen.has(kind)) chosen.set(kind, random.pick(rings.get(kind) ?? []))
        return chosen.get(kind)?.[field] ?? ''
      }
    },
    learn(path, answer) {
      const { data } = isRecord(answer) ? answer : {}
      if (!isRecord(data)) return
      if (path === '/file/upload' && typeof data.fileId === 'string') add('file', { id: data.fileId })
      const { payCode, payUrl, tradeNo, merOrderNo, refundNo } = data
      const order = { tradeNo: String(tradeNo), merOrderNo: String(merOrderNo) }
      if (typeof refundNo === 'string') add('refund', { ...order, refundNo })
      else if (payCode === 0) add('paid', { ...order, reference: attemptReference(order.tradeNo, 1) })
      else if (typeof payUrl === 'string') {
        const link = URL.parse(payUrl)?.pathname ?? ''
        add(link.startsWith('/payout/') ? 'payout' : 'pay', { ...order, link })
      }
    },
    add,
    has: (kind) => rings.has(kind),
  }
}

const kinds: readonly string[] = ['paid', 'pay', 'payout', 'review', 'refund', 'file', 'pending']

function isKind(name: string): name is Kind {
  return kinds.includes(name)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
