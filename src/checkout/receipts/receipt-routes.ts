// The routes of receipts. There is no session and no cookie: the link is the key.
import type { FastifyInstance } from 'fastify'
import type { Logo } from '../../merchants/logo.ts'
import { sendPage } from '../../pages/page.ts'
import type { Cost } from '../links/link-limits.ts'
import {
  contextOf,
  type LinkRequest,
  openPageScope,
  type PageScope,
  sendLogo,
  sendMissing,
} from '../page-scope.ts'
import { brokenPage } from '../pay-page.ts'
import { missingReceiptPage, type ReceiptView, receiptPage } from './receipt-page.ts'

export type ReceiptDeps = {
  readonly sandbox: boolean
  /** Counts a request. Returns the seconds to wait if the link is used too often. */
  limit(token: string, cost: Cost): number | undefined
  /** Undefined if the link is wrong or has expired, or the order is not paid. */
  open(token: string): Promise<ReceiptView | undefined>
  logo(token: string): Promise<Logo | undefined>
}

export function registerReceipts(app: FastifyInstance, deps: ReceiptDeps): void {
  const { sandbox, limit } = deps
  const pages: PageScope = { at: 'receipt', sandbox, missing: missingReceiptPage, broken: brokenPage, limit }
  app.register(async (scope) => {
    openPageScope(scope, pages)
    scope.get('/receipt/:token', async (request: LinkRequest, reply) => {
      const receipt = await deps.open(request.params.token)
      if (receipt === undefined) return sendMissing(pages, request, reply)
      return sendPage(reply, 200, receiptPage(contextOf(pages, request), receipt))
    })
    scope.get('/receipt/:token/logo', async (request: LinkRequest, reply) =>
      sendLogo(pages, await deps.logo(request.params.token), request, reply),
    )
  })
}
