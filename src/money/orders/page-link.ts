// Makes and reads links to the pages of payers and beneficiaries. The token in a link opens one order, expires and
// cannot be guessed. A MAC authenticates the token, so tokens are not stored, and every node can read every token. A
// single link cannot be revoked, but a new master key invalidates all links.
import { merNoOf } from '../../platform/base/id.ts'
import { isEqualSecret, type Vault } from '../../platform/base/secret.ts'
import type { OrderKey } from './order.ts'

export type LinkMaker = {
  pageUrl(tradeNo: string, expiresAt: Date): string
  /** Returns the token, which is the last part of the page's address. */
  tokenOf(tradeNo: string, expiresAt: Date): string
  urlOf(token: string): string
  /** Returns the order that the token opens. Undefined if the token is invalid or expired. */
  read(token: string, now: Date): OrderKey | undefined
}

/** Each kind of page has its own MAC, so a link to one kind of page never opens another kind. */
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

/** Returns the expiry of a receipt link that is made now. Payers can dispute a payment only within a shorter time. */
export function receiptEnds(now: Date): Date {
  return new Date(now.getTime() + RECEIPT_DAYS * DAY_MS)
}
