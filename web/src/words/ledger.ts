// Words for the steps and accounts of ledger entries. Tooltips show the original names.

type Names = Readonly<Record<string, string>>

const en = {
  steps: {
    opening: 'Starting balance',
    payment: 'Payment',
    review: 'Held for the review',
    'review-returned': 'Returned after the review',
    'handling-fee': 'Percentage fee',
    'processing-fee': 'Fixed fee',
    margin: 'Reserve withheld',
    'margin-release': 'Reserve released',
    settle: 'Settlement',
    refund: 'Refund',
    'refund-paid': 'Refund paid by the channel',
    'refund-failed': 'Refund failed',
    'refund-returned': 'Refund came back',
    'return-cost': 'Cost of a return',
    'return-kept': 'Kept by the channel',
    chargeback: 'Dispute',
    'chargeback-won': 'Dispute won',
    payout: 'Payout',
    suspense: 'Suspense',
    'suspense-returned': 'Returned from suspense',
    correction: 'Correction',
  } satisfies Names as Names,
  /** The parts of a step. In the name of a step, they come after the id. */
  parts: {
    margin: 'reserve',
    fee: 'fee',
    remainder: 'not settled',
    available: 'available',
    below: 'below zero',
    exchanged: 'converted',
    sold: 'converted',
    bought: 'converted back',
    'bought-back': 'converted back',
    sent: 'sent',
    'came-back': 'came back',
    returned: 'came back',
  } satisfies Names as Names,
  accounts: {
    'merchant:available': 'Available',
    'merchant:margin': 'Reserve',
    'merchant:unsettled': 'Unsettled',
    'platform:exchange': 'Conversion',
    'platform:fees': 'Fees',
    suspense: 'Suspense',
    'transit:disputed': 'Disputes',
    'transit:payouts': 'Payouts under way',
    'transit:refunds': 'Refunds under way',
    'transit:return-costs': 'Costs of returns',
    'transit:review': 'In review',
  } satisfies Names as Names,
  colon: ': ',
  channel: (name: string) => `Channel ${name}`,
}

const zh: typeof en = {
  steps: {
    opening: '期初余额',
    payment: '付款',
    review: '审核中暂存',
    'review-returned': '审核后退回',
    'handling-fee': '百分比手续费',
    'processing-fee': '固定手续费',
    margin: '扣留保证金',
    'margin-release': '释放保证金',
    settle: '结算',
    refund: '退款',
    'refund-paid': '渠道已退款',
    'refund-failed': '退款失败',
    'refund-returned': '退款被退回',
    'return-cost': '退回费用',
    'return-kept': '渠道留存',
    chargeback: '争议',
    'chargeback-won': '争议胜诉',
    payout: '付款',
    suspense: '暂挂款项',
    'suspense-returned': '暂挂款项退回',
    correction: '更正',
  },
  parts: {
    margin: '保证金',
    fee: '手续费',
    remainder: '未结算',
    available: '可用',
    below: '负余额',
    exchanged: '兑换',
    sold: '兑换',
    bought: '换回',
    'bought-back': '换回',
    sent: '已发送',
    'came-back': '已退回',
    returned: '已退回',
  },
  accounts: {
    'merchant:available': '可用',
    'merchant:margin': '保证金',
    'merchant:unsettled': '未结算',
    'platform:exchange': '兑换',
    'platform:fees': '手续费',
    suspense: '暂挂款项',
    'transit:disputed': '争议',
    'transit:payouts': '付款途中',
    'transit:refunds': '退款途中',
    'transit:return-costs': '退回费用',
    'transit:review': '审核中',
  },
  colon: '：',
  channel: (name) => `渠道 ${name}`,
}

export const ledgerWords = { en, zh }

export type LedgerWords = typeof en

/**
 * Returns a step in words. For example, `refund:R123:margin` becomes `Refund: reserve`. An unknown step is returned
 * unchanged.
 */
export function stepInWords({ steps, parts, colon }: LedgerWords, step: string): string {
  const [kind = '', ...rest] = step.split(':')
  const known = steps[kind.replace(/^opening-.*/, 'opening')]
  if (known === undefined) return step
  return [known, ...rest.flatMap((part) => parts[part] ?? [])].join(colon)
}

export function accountInWords({ accounts, channel }: LedgerWords, account: string): string {
  return accounts[account] ?? account.replace(/^rail:(.+)$/, (_, name) => channel(name))
}
