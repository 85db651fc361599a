// Finds what a receipt shows. Only the link's token identifies the order.
import type { Clock } from '../../base/clock.ts'
import type { Vault } from '../../base/secret.ts'
import { findLogo } from '../../merchants/logo.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import { findReceipt } from '../../order-queries/find-receipt.ts'
import { readWholeDetails } from '../../order-queries/read-details.ts'
import type { LinkMaker } from '../../orders/page-link.ts'
import type { Db } from '../../postgres/db.ts'
import { refundsOf } from '../../refunds/find-refund.ts'
import type { LinkLimits } from '../links/link-limits.ts'
import { productsOf, textOf } from '../make-view.ts'
import type { ReceiptView } from './receipt-page.ts'
import type { ReceiptDeps } from './receipt-routes.ts'

export type OpenReceiptsDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly vault: Vault
  readonly sandbox: boolean
  readonly receiptLinks: LinkMaker
  readonly linkLimits: LinkLimits
  findMerchant(merNo: number): Promise<Merchant | undefined>
}

export function openReceipts(deps: OpenReceiptsDeps): ReceiptDeps {
  const keyOf = (token: string) => deps.receiptLinks.read(token, deps.clock.now())
  return {
    sandbox: deps.sandbox,
    limit(token, cost) {
      const key = keyOf(token)
      return key && deps.linkLimits.take(key.tradeNo, cost)
    },
    async open(token) {
      const key = keyOf(token)
      return key && view(deps, key.merNo, key.tradeNo)
    },
    async logo(token) {
      const key = keyOf(token)
      return key && findLogo(deps.db, key.merNo)
    },
  }
}

async function view(
  deps: OpenReceiptsDeps,
  merNo: number,
  tradeNo: string,
): Promise<ReceiptView | undefined> {
  const [receipt, merchant] = await Promise.all([
    findReceipt(deps.db, { merNo, tradeNo }),
    deps.findMerchant(merNo),
  ])
  if (receipt === undefined || merchant === undefined) return undefined
  const { details } = await readWholeDetails(deps, { merNo, tradeNo })
  const refunds = await refundsOf(deps.db, merNo, tradeNo)
  const { name, accent, hasLogo } = merchant
  return {
    ...receipt,
    merchant: { name, accent, hasLogo },
    products: productsOf(details.productInfoList),
    refunds: refunds
      .filter(({ state }) => state === 'succeeded')
      .map(({ money, decidedAt, createdAt }) => ({ money, at: decidedAt ?? createdAt })),
    language: textOf(details.language),
  }
}
