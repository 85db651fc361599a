import { approveRefund, rejectRefund } from '../../../money/refunds/approve-refund.ts'
import { listWaiting } from '../../../money/refunds/find-refund.ts'
import { type Refund, refundSums } from '../../../money/refunds/refund.ts'
import { auditId, type Command } from '../command.ts'
import { commandApprover } from '../shared/actor.ts'
import { knownChannels } from '../shared/connection-named.ts'
import { plain, section } from '../shared/print.ts'
import { findMerchant, givenMerNo } from '../shared/show-merchant.ts'

const list: Command = {
  name: 'refund list',
  summary: 'List the refunds awaiting approval, oldest first',
  options: { merchant: { value: 'MERNO', help: 'only this merchant' } },
  async run({ given, tools }) {
    const refunds = (await listWaiting(await tools.database(), givenMerNo(given, 'merchant'))).map(toListed)
    return { json: { refunds }, text: section('Refunds awaiting approval', refunds.map(toRow)) }
  },
}

function toListed(refund: Refund) {
  const { refundNo, merNo, tradeNo, merOrderNo, remark } = refund
  const createdAt = refund.createdAt.toISOString()
  return { refundNo, merNo, tradeNo, merOrderNo, ...refundSums(refund), remark, createdAt }
}

function toRow(listed: ReturnType<typeof toListed>): string[] {
  const { refundNo, merNo, merOrderNo, refundAmount, refundCurrency, remark, createdAt } = listed
  const sum = `${refundAmount} ${refundCurrency}`
  return [refundNo, createdAt, `merchant ${merNo}`, merOrderNo, sum, remark].map(plain)
}

const approve: Command = {
  name: 'refund approve',
  argument: 'REFUNDNO',
  summary: 'Approve a refund that waits for it; the gateway then sends it to its channel',
  audit: ({ argument }) => auditId(argument),
  options: {},
  async run({ argument: refundNo, tools }) {
    const db = await tools.database()
    const channels = (await knownChannels(tools))?.channels
    const deps = { db, findMerchant: (merNo: number) => findMerchant(db, tools, merNo), channels }
    await approveRefund(deps, refundNo, { by: commandApprover(), at: tools.clock.now() })
    return {
      json: { refundNo, approved: true },
      text: `Refund ${refundNo} is approved. The gateway sends it to its channel now.`,
    }
  },
}

const reject: Command = {
  name: 'refund reject',
  argument: 'REFUNDNO',
  summary: 'Reject a refund that waits for approval; its money goes back to the merchant',
  audit: ({ argument }) => auditId(argument),
  options: { reason: { value: 'TEXT', help: 'why; the merchant sees it' } },
  async run({ argument: refundNo, given, tools }) {
    const decider = { by: commandApprover(), at: tools.clock.now() }
    await rejectRefund(await tools.database(), refundNo, { ...decider, reason: given.text('reason') ?? '' })
    return {
      json: { refundNo, approved: false },
      text: `Refund ${refundNo} is rejected. Its money is back in the merchant's balance.`,
    }
  },
}

export const refundCommands: readonly Command[] = [list, approve, reject]
