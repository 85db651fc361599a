// A request to the merchant API, as the log stores and shows it. Bodies and responses are masked before they are
// logged.
import type { KeptText } from './kept-text.ts'

export type RequestEntry = {
  readonly requestId: string
  readonly endpoint: string
  /** The merchant that the request names. If the signature was not valid, this merchant may not exist. */
  readonly merNo: number
  readonly isSigned: boolean
  readonly merOrderNo: string | undefined
  readonly tradeNo: string | undefined
  readonly status: number
  readonly code: string
  readonly message: string
  /** The reason for the result if the response does not contain it, such as the risk rule that declined the payment. */
  readonly note?: string | undefined
  readonly ms: number
  readonly address: string
  readonly agent: string
  /** The header that chooses the payment method, or '' if the request does not have this header. */
  readonly paymentType: string
  readonly referer: string
  /** The body of the request, or undefined if it could not be read. */
  readonly body: KeptText | undefined
  readonly answer: string
  /** The signature, if the request was refused because of its signature. */
  readonly sign: string | undefined
}

/** The row of an entry, without the texts that are packed into a block. */
export type RequestRow = {
  readonly merNo: number
  readonly requestId: string
  readonly endpoint: string
  readonly code: string
  readonly status: number
  readonly durationMs: number
  readonly merOrderNo: string | undefined
  readonly tradeNo: string | undefined
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
  /** The time at which the order was created, to find the request that created it. Undefined if there is no order. */
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
  /** The reason in words, if the request was refused or the payment was declined by a rule. */
  readonly reason: string | null
}

/** The texts of an entry that are packed into a block. */
export type Bodies = {
  readonly address: string
  readonly agent: string
  readonly paymentType: string
  readonly referer: string
  /** The body of the request, or '' if it could not be read. */
  readonly body: string
  readonly answer: string
}

export type WholeRequest = ListedRequest & Bodies

export const PAYMENT = '/payment'
export const SUCCESS = '00000'
