import { listLinks } from '../../../money/payment-links/find-link.ts'
import { stopLink } from '../../../money/payment-links/make-link.ts'
import { statusOf } from '../../../money/payment-links/payment-link.ts'
import { formatAmount } from '../../../platform/base/money.ts'
import { auditId, type Command } from '../command.ts'
import { columns, plain } from '../shared/print.ts'
import { readMerNo } from '../shared/show-merchant.ts'

const LIST_LIMIT = 200

const list: Command = {
  name: 'link list',
  summary: "List a merchant's payment links, newest first",
  options: { 'mer-no': { value: 'MERNO', required: true, help: 'the merchant' } },
  async run({ given, tools }) {
    const merNo = readMerNo(given.text('mer-no') ?? '')
    const found = await listLinks(await tools.database(), merNo, undefined, LIST_LIMIT)
    const links = found.map((link) => ({
      linkId: link.linkId,
      status: statusOf(link, tools.clock.now()),
      title: link.title,
      amount: link.amount === undefined ? null : formatAmount(link.amount, link.currency),
      currency: link.currency,
      createdBy: link.createdBy,
      createdAt: link.createdAt.toISOString(),
    }))
    const rows = links.map(({ linkId, status, title, amount, currency, createdAt }) => [
      linkId,
      status,
      `${amount ?? 'any amount in'} ${currency}`,
      plain(title),
      createdAt,
    ])
    return { json: { links }, text: columns(rows, 'No payment links.') }
  },
}

const stop: Command = {
  name: 'link stop',
  argument: 'LINKID',
  summary: "Stop a payment link: nobody can begin to pay with it, and the merchant's people cannot undo it",
  audit: ({ argument }) => auditId(argument),
  options: {},
  async run({ argument: linkId, tools }) {
    const { state } = await stopLink(await tools.database(), linkId, true)
    return { json: { linkId, state }, text: `Payment link ${plain(linkId)} is stopped.` }
  },
}

const resume: Command = {
  name: 'link resume',
  argument: 'LINKID',
  summary: 'Let a stopped payment link go on',
  audit: ({ argument }) => auditId(argument),
  options: {},
  async run({ argument: linkId, tools }) {
    const { state } = await stopLink(await tools.database(), linkId, false)
    return { json: { linkId, state }, text: `Payment link ${plain(linkId)} can be paid again.` }
  },
}

export const linkCommands: readonly Command[] = [list, stop, resume]
