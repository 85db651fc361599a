import QRCode from 'qrcode'
import type { Merchant } from '../../../money/merchants/merchant.ts'
import { findReceipt } from '../../../money/order-queries/find-receipt.ts'
import { readOrders } from '../../../money/order-queries/search/scan-orders.ts'
import { type LinkMaker, receiptEnds } from '../../../money/orders/page-link.ts'
import { findLink, listLinkOrders, listLinks, readResults } from '../../../money/payment-links/find-link.ts'
import { linkUrl, mailLink, makeLink, stopLink, switchLink } from '../../../money/payment-links/make-link.ts'
import { type PaymentLink, statusOf } from '../../../money/payment-links/payment-link.ts'
import { actorOf, type Caller, merchantOf } from '../../../people/roles/caller.ts'
import { takeTries } from '../../../people/sessions/throttle.ts'
import { audited, writeAudit } from '../../../platform/audit-log/write-entry.ts'
import type { Clock } from '../../../platform/base/clock.ts'
import type { Vault } from '../../../platform/base/secret.ts'
import { Problem } from '../../../platform/errors/problem.ts'
import { isMailAddress } from '../../../platform/mail/mail.ts'
import { moneyOf } from '../../../platform/pages/amount.ts'
import { languages } from '../../../platform/pages/language.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { lineAbout } from '../audit-lines.ts'
import { needMerchant, ownOnly } from '../merchant-of-call.ts'
import { toMoney } from '../money.ts'
import { stageOf } from '../orders/order-stage.ts'
import type { Download, Handlers } from '../route.ts'
import { PAGE_ROWS, pageFrom } from '../schemas.ts'
import type { linksApi } from './api.ts'
import { payableMethods, type ReadLinkDeps, readLink } from './read-link.ts'

export type LinkHandlerDeps = ReadLinkDeps & {
  readonly db: Db
  readonly clock: Clock
  readonly vault: Vault
  readonly baseUrl: string
  readonly receiptLinks: LinkMaker
  findMerchant(merNo: number): Promise<Merchant | undefined>
}

export function createLinkHandlers(deps: LinkHandlerDeps): Handlers<typeof linksApi> {
  const { db, clock } = deps
  const toRow = (link: PaymentLink) => rowOf(link, deps.baseUrl, clock.now())

  async function needLink(caller: Caller, linkId: string): Promise<PaymentLink> {
    ownOnly(caller, linkId)
    const link = await findLink(db, linkId)
    if (link === undefined) throw noLink()
    return link
  }

  return {
    async 'GET /links'({ caller, query }) {
      const found = await listLinks(db, merchantOf(caller, query.merNo), query.after, PAGE_ROWS + 1)
      return pageFrom(found.map(toRow), ({ linkId }) => linkId)
    },

    async 'GET /link-choices'({ caller }) {
      const merchant = await needMerchant(deps, merchantOf(caller, undefined))
      const currencies = [...merchant.currencies.keys()].sort()
      const all = currencies.map((currency) => {
        return { currency, methods: payableMethods(deps, merchant, currency) }
      })
      return { currencies: all.filter(({ methods }) => methods.length > 0), languages: [...languages] }
    },

    async 'POST /links'({ caller, body }) {
      const merNo = merchantOf(caller, undefined)
      const at = clock.now()
      const content = readLink(deps, await needMerchant(deps, merNo), body, at)
      const wanted = { ...content, merNo, createdBy: caller.email, createdAt: at }
      const { title, currency, uses, reference } = content
      const money = content.amount === undefined ? currency : toMoney({ amount: content.amount, currency })
      const link = await makeLink(db, wanted, (tx, { linkId }) =>
        writeAudit(tx, {
          merNo,
          at,
          actor: actorOf(caller),
          action: 'link.create',
          subject: linkId,
          after: { title, money, uses, ...(reference !== '' && { reference }) },
        }),
      )
      return toRow(link)
    },

    async 'GET /links/:linkId'({ caller, params }) {
      const link = await needLink(caller, params.linkId)
      const { paidAmount, ...counts } = await readResults(db, link)
      const paidSum = toMoney({ amount: paidAmount, currency: link.currency })
      return { link: toRow(link), results: { ...counts, paidSum } }
    },

    async 'GET /links/:linkId/orders'({ caller, params, query }) {
      const link = await needLink(caller, params.linkId)
      const found = await listLinkOrders(db, link, query.after, PAGE_ROWS + 1)
      const { merNo } = link
      const orders = await readOrders(
        db,
        found.map((tradeNo) => ({ merNo, tradeNo })),
      )
      const rows = orders.map((order) => {
        const { tradeNo, merOrderNo, createdAt, state, method } = order
        const shown = { tradeNo, merOrderNo, createdAt: createdAt.toISOString(), state, method }
        return { ...shown, stage: stageOf(order), money: toMoney(order) }
      })
      return pageFrom(rows, ({ tradeNo }) => tradeNo)
    },

    async 'PUT /links/:linkId/state'({ caller, params, body: { state } }) {
      const found = await needLink(caller, params.linkId)
      if (found.state === state) return toRow(found)
      const { merNo, linkId, state: before } = found
      const action = state === 'off' ? 'link.switch-off' : 'link.switch-on'
      const change = { action, id: linkId, before: { state: before }, after: { state } }
      const line = lineAbout(caller, clock, change)
      const link = await audited(db, line).transaction((tx) => switchLink(tx, { merNo, linkId }, state))
      if (link === undefined) throw noLink()
      return toRow(link)
    },

    async 'PUT /links/:linkId/stop'({ caller, params, body: { isStopped, reason } }) {
      const { linkId, state } = await needLink(caller, params.linkId)
      const action = isStopped ? 'link.stop' : 'link.resume'
      const change = { action, id: linkId, before: { state }, reason }
      const line = lineAbout(caller, clock, { ...change, after: { state: isStopped ? 'stopped' : 'active' } })
      return toRow(await stopLink(audited(db, line), linkId, isStopped))
    },

    async 'POST /links/:linkId/mails'({ caller, params, body: { to, language } }) {
      const link = await needLink(caller, params.linkId)
      const { merNo, linkId, currency } = link
      const now = clock.now()
      const status = statusOf(link, now)
      if (!isMailAddress(to))
        throw new Problem('invalid', 'Check the marked fields.', { to: 'Enter an e-mail address.' })
      if (status !== 'active' && status !== 'claimed')
        throw new Problem('refused', 'This link can no longer be paid. Make a new one.')
      const { name: merchantName, state } = await needMerchant(deps, merNo)
      if (state !== 'active')
        throw new Problem('refused', 'Links are mailed only while your company may take payments.')
      // The number of mails is limited, because nobody has confirmed the recipients' addresses.
      await takeTries(deps, { 'links-by': String(merNo) })
      const amount = link.amount === undefined ? '' : moneyOf({ amount: link.amount, currency }, language)
      const line = lineAbout(caller, clock, { action: 'link.mail', id: linkId, after: { to } })
      await audited(db, line).transaction((tx) =>
        mailLink(tx, deps.vault, link, {
          to,
          language,
          merchantName,
          amount,
          url: linkUrl(deps.baseUrl, linkId),
          now,
        }),
      )
      return {}
    },

    async 'GET /links/:linkId/qr.svg'({ caller, params }) {
      const { linkId } = await needLink(caller, params.linkId)
      const svg = await QRCode.toString(linkUrl(deps.baseUrl, linkId), { ...code, type: 'svg' })
      return file(`${linkId}.svg`, 'image/svg+xml', svg)
    },

    async 'GET /links/:linkId/qr.png'({ caller, params }) {
      const { linkId } = await needLink(caller, params.linkId)
      const png = await QRCode.toBuffer(linkUrl(deps.baseUrl, linkId), { ...code, type: 'png', scale: 12 })
      return file(`${linkId}.png`, 'image/png', png)
    },

    async 'GET /orders/:tradeNo/receipt'({ caller, params: { tradeNo } }) {
      const merNo = ownOnly(caller, tradeNo)
      const receipt = await findReceipt(db, { merNo, tradeNo })
      if (receipt === undefined) throw new Problem('not-found', 'Only paid orders have a receipt.')
      return { url: deps.receiptLinks.pageUrl(tradeNo, receiptEnds(clock.now())) }
    },
  }
}

/** The options of the QR code. Scanners need the margin (the "quiet zone"). */
const code = { errorCorrectionLevel: 'M', margin: 4 } as const

function file(name: string, type: string, content: string | Buffer): Download {
  return {
    name,
    type,
    content: (async function* () {
      yield content
    })(),
  }
}

function noLink(): Problem {
  return new Problem('not-found', 'There is no such payment link.')
}

function rowOf(link: PaymentLink, baseUrl: string, now: Date) {
  const { linkId, title, currency, method, uses, expiresAt, language, reference, notifyUrl } = link
  const of = (amount: bigint | undefined) =>
    amount === undefined ? undefined : toMoney({ amount, currency })
  const [money, least, most] = [of(link.amount), of(link.least), of(link.most)]
  return {
    linkId,
    url: linkUrl(baseUrl, linkId),
    title,
    currency,
    ...(money && { money }),
    ...(least && { least }),
    ...(most && { most }),
    ...(method && { method }),
    uses,
    status: statusOf(link, now),
    ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
    language,
    reference,
    notifyUrl,
    createdBy: link.createdBy,
    createdAt: link.createdAt.toISOString(),
  }
}
