// Links to payer pages: a token that names one order, ends by itself, cannot be guessed, and opens nothing else.

import { merNoOf } from '../base/id.ts'
import { isSame, type Vault } from '../base/secret.ts'
import type { OrderKey } from '../orders/keys.ts'

export type LinkMaker = {
  /** The page's address, absolute. */
  pageUrl(tradeNo: string, expiresAt: Date): string
  /** The same address, of a token that came in. */
  urlOf(token: string): string
  /** The order that a token opens now. */
  read(token: string, now: Date): OrderKey | undefined
}

/** A payer's page and a beneficiary's: the link to one never opens the other. */
const pages = { pay: 'page', payout: 'payout-page' } as const

export function createLinks(vault: Vault, baseUrl: string, page: keyof typeof pages = 'pay'): LinkMaker {
  const macOf = (tradeNo: string, expiry: string) => vault.mac(pages[page], `${tradeNo}.${expiry}`)
  const urlOf = (token: string) => `${baseUrl}/${page}/${token}`
  return {
    pageUrl(tradeNo, expiresAt) {
      const expiry = Math.ceil(expiresAt.getTime() / 1000).toString(36)
      return urlOf(`${tradeNo}.${expiry}.${macOf(tradeNo, expiry)}`)
    },
    urlOf,
    read(token, now) {
      const [tradeNo = '', expiry = '', mac = ''] = token.split('.')
      if (!isSame(mac, macOf(tradeNo, expiry))) return undefined
      const merNo = merNoOf(tradeNo)
      const inTime = Number.parseInt(expiry, 36) * 1000 >= now.getTime()
      return merNo !== undefined && inTime ? { merNo, tradeNo } : undefined
    },
  }
}
