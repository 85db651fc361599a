import { findLogo } from '../../../money/merchants/logo.ts'
import type { Merchant } from '../../../money/merchants/merchant.ts'
import type { LinkMaker } from '../../../money/orders/page-link.ts'
import { findLink } from '../../../money/payment-links/find-link.ts'
import { type OrderByLinkDeps, orderByLink } from '../../../money/payment-links/order-by-link.ts'
import { type PaymentLink, readAmount, statusOf } from '../../../money/payment-links/payment-link.ts'
import type { Money } from '../../../platform/base/money.ts'
import { networkOf } from '../../../platform/http/addresses.ts'
import { frameAncestors } from '../frames.ts'
import type { LinkLimits, OrderLimits } from '../limits.ts'
import type { LinkView } from './link-page.ts'
import type { Begun, LinkPageDeps } from './link-routes.ts'

export type OpenLinkPageDeps = OrderByLinkDeps & {
  readonly sandbox: boolean
  readonly links: LinkMaker
  readonly linkLimits: LinkLimits
  readonly orderLimits: OrderLimits
  findMerchant(merNo: number): Promise<Merchant | undefined>
  /** Reports to the operator why a link cannot be paid. */
  readonly refused: (linkId: string, why: string) => void
}

export function openLinkPage(deps: OpenLinkPageDeps): LinkPageDeps {
  const find = async (linkId: string) => {
    const link = await findLink(deps.db, linkId)
    const merchant = link && (await deps.findMerchant(link.merNo))
    return link && merchant && { link, merchant }
  }
  return {
    sandbox: deps.sandbox,
    // Requests are not counted per link. A link for many uses is public, so one payer could otherwise stop all others.
    limit: (_linkId, cost, address) => deps.linkLimits.take(`network ${networkOf(address)}`, cost),
    async open(linkId) {
      const found = await find(linkId)
      return found && viewOf(deps, found.link, found.merchant)
    },
    async begin(linkId, amount, address) {
      const found = await find(linkId)
      return found && begin(deps, found.link, found.merchant, { amount, address })
    },
    async logo(linkId) {
      // The link is looked up first. Otherwise an invented id that contains a merchant number would reveal whether the
      // merchant exists.
      const link = await findLink(deps.db, linkId)
      return link && findLogo(deps.db, link.merNo)
    },
  }
}

function viewOf(
  { clock, sandbox }: Pick<OpenLinkPageDeps, 'clock' | 'sandbox'>,
  link: PaymentLink,
  { name, accent, hasLogo, websites }: Merchant,
): LinkView {
  const { currency, title, expiresAt, language } = link
  const status = statusOf(link, clock.now())
  const of = (amount: bigint | undefined): Money | undefined =>
    amount === undefined ? undefined : { amount, currency }
  const taken = status === 'claimed' || status === 'paid' ? link.claim?.money : undefined
  return {
    merchant: { name, accent, hasLogo },
    title,
    status,
    currency,
    money: taken ?? of(link.amount),
    least: of(link.least),
    most: of(link.most),
    expiresAt,
    language,
    frameAncestors: frameAncestors(websites, sandbox),
  }
}

type Wanted = { readonly amount: string; readonly address: string }

async function begin(
  deps: OpenLinkPageDeps,
  link: PaymentLink,
  merchant: Merchant,
  { amount: typed, address }: Wanted,
): Promise<Begun> {
  const { money } = viewOf(deps, link, merchant)
  const amount = money?.amount ?? readAmount(link, typed)
  if (amount === undefined) {
    const problem = typed.trim() === '' ? 'missing' : 'invalid'
    return { kind: 'invalid', formState: { amount: typed, problem } }
  }
  if (!deps.orderLimits.mayOrder(address))
    return { kind: 'invalid', formState: { amount: typed, notice: 'tooManyAttempts' } }
  const ordered = await orderByLink(deps, merchant, link, amount)
  switch (ordered.kind) {
    case 'order':
      return { kind: 'order', token: deps.links.tokenOf(ordered.tradeNo, ordered.pageEndsAt) }
    case 'ended':
      return { kind: 'ended' }
    case 'full':
      deps.refused(link.linkId, 'too many of its orders wait for their payers')
      return { kind: 'unavailable' }
    case 'refused':
      deps.refused(link.linkId, `${ordered.refusal.code} ${ordered.refusal.message}`)
      return { kind: 'unavailable' }
  }
}
