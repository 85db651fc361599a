// A logged request to the merchant API. Bodies and responses are masked before they are logged.
import type { KeptText } from './kept-text.ts'

export type RequestEntry = {
  readonly requestId: string
  readonly endpoint: string
  /** The merchant that the request names. The merchant may not exist if `isSigned` is false. */
  readonly merNo: number
  readonly isSigned: boolean
  readonly merOrderNo: string | undefined
  readonly tradeNo: string | undefined
  readonly status: number
  readonly code: string
  readonly message: string
  /** A reason that the response does not contain, such as the risk rule that declined the payment. */
  readonly note?: string | undefined
  readonly ms: number
  readonly address: string
  readonly agent: string
  /** The header that chooses the payment method, or ''. */
  readonly paymentType: string
  readonly referer: string
  /** The body of the request. Undefined if reading it failed. */
  readonly body: KeptText | undefined
  readonly answer: string
  /** The signature of a request that was refused because of its signature. */
  readonly sign: string | undefined
}

type KeptFields = 'merNo' | 'requestId' | 'endpoint' | 'code' | 'status' | 'merOrderNo' | 'tradeNo'

/** The row of an entry. The other texts of the entry are in a block. */
export type RequestRow = Pick<RequestEntry, KeptFields> & {
  readonly durationMs: number
  readonly reason: string | undefined
  readonly sealedSign: Buffer | undefined
  /** The position of the entry in its block. */
  readonly place: number
}

export type RequestFilter = {
  readonly merNo: number
  readonly endpoint?: string | undefined
  readonly code?: string | undefined
  readonly refusedOnly?: boolean | undefined
  readonly order?: OrderFilter | undefined
  /** The range of ids: from `from` (inclusive) to `below` (exclusive). */
  readonly from?: string | undefined
  readonly below?: string | undefined
}

export type OrderFilter = {
  readonly merOrderNo: string
  /** The creation time of the order, by which the request is found. Undefined if there is no order. */
  readonly madeAt: Date | undefined
}

export type ListedRequest = {
  readonly requestId: string
  readonly at: Date
  readonly merNo: number
  readonly endpoint: string
  readonly code: string
  readonly status: number
  readonly durationMs: number
  readonly merOrderNo: string | null
  readonly tradeNo: string | null
  /** Why the request was refused, or which rule declined the payment, as a sentence. Null for all other requests. */
  readonly reason: string | null
}

/** The texts that a block contains. `body` is '' if reading the request's body failed. */
export type Bodies = Pick<RequestEntry, 'address' | 'agent' | 'paymentType' | 'referer' | 'answer'> & {
  readonly body: string
}

export type WholeRequest = ListedRequest & Bodies

export const PAYMENT = '/payment'
export const SUCCESS = '00000'
