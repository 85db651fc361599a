// One call to the merchant interface, as the log stores and shows it. Bodies and responses are masked before they get here.
import type { KeptText } from './kept-text.ts'

export type RequestEntry = {
  readonly requestId: string
  readonly endpoint: string
  /** If the signature was valid, the caller; else the merchant that the caller named, which may not exist. */
  readonly merNo: number
  readonly isSigned: boolean
  readonly merOrderNo: string | undefined
  readonly tradeNo: string | undefined
  readonly status: number
  readonly code: string
  readonly message: string
  /** Why a request that was answered with success had no success, if the response does not say so. */
  readonly note?: string | undefined
  readonly ms: number
  readonly address: string
  readonly agent: string
  /** The header that chooses the method; '' without one. */
  readonly paymentType: string
  readonly referer: string
  /** Undefined when it could not be read. */
  readonly body: KeptText | undefined
  readonly answer: string
  /** Only of a request that was refused for its signature. */
  readonly sign: string | undefined
}

/** An entry without its bodies. */
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
  /** Which one of its block it is. */
  readonly place: number
}

export type RequestFilter = {
  readonly merNo: number
  readonly endpoint?: string | undefined
  readonly code?: string | undefined
  readonly refusedOnly?: boolean | undefined
  readonly order?: OrderFilter | undefined
  /** Ids from here on, and below that one. */
  readonly from?: string | undefined
  readonly below?: string | undefined
}

export type OrderFilter = {
  readonly merOrderNo: string
  /** When the order was made, by which its payment is found; undefined if there is no such order. */
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
  /** In words, for a refusal or a rule that declined it. */
  readonly reason: string | null
}

/** What is packed into a block. */
export type Bodies = {
  readonly address: string
  readonly agent: string
  readonly paymentType: string
  readonly referer: string
  /** '' when it could not be read. */
  readonly body: string
  readonly answer: string
}

export type WholeRequest = ListedRequest & Bodies

export const PAYMENT = '/payment'
export const SUCCESS = '00000'
