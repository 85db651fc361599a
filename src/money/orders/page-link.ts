// Links to payer pages. The token names one order, expires, cannot be guessed, and opens nothing else.
import { merNoOf } from '../base/id.ts'
import { isEqualSecret, type Vault } from '../base/secret.ts'
import type { OrderKey } from './order.ts'

export type LinkMaker = {
  /** The absolute address of the page. */
  pageUrl(tradeNo: string, expiresAt: Date): string
  /** The last part of that address. */
  tokenOf(tradeNo: string, expiresAt: Date): string
  /** The same address, from a token in a request. */
  urlOf(token: string): string
  /** The order that a valid token opens. */
  read(token: string, now: Date): OrderKey | undefined
}

/** The kinds of pages use different MACs, so a link to one never opens another. */
const pages = { pay: 'page', payout: 'payout-page', receipt: 'receipt-page' } as const

export function createLinks(vault: Vault, baseUrl: string, page: keyof typeof pages = 'pay'): LinkMaker {
  const macOf = (tradeNo: string, expiry: string) => vault.mac(pages[page], `${tradeNo}.${expiry}`)
  const urlOf = (token: string) => `${baseUrl}/${page}/${token}`
  const tokenOf = (tradeNo: string, expiresAt: Date) => {
    const expiry = Math.ceil(expiresAt.getTime() / 1000).toString(36)
    return `${tradeNo}.${expiry}.${macOf(tradeNo, expiry)}`
  }
  return {
    pageUrl: (tradeNo, expiresAt) => urlOf(tokenOf(tradeNo, expiresAt)),
    tokenOf,
    urlOf,
    read(token, now) {
      const [tradeNo = '', expiry = '', mac = ''] = token.split('.')
      if (!isEqualSecret(mac, macOf(tradeNo, expiry))) return undefined
      const merNo = merNoOf(tradeNo)
      const inTime = Number.parseInt(expiry, 36) * 1000 >= now.getTime()
      return merNo !== undefined && inTime ? { merNo, tradeNo } : undefined
    },
  }
}

const DAY_MS = 86_400_000
const RECEIPT_DAYS = 730

/** Until when a link to a receipt that is given out now opens it: longer than payers may dispute a payment. */
export function receiptEnds(now: Date): Date {
  return new Date(now.getTime() + RECEIPT_DAYS * DAY_MS)
}
