// The payment or payout that a row of a queue is about: its two numbers, and below them the person, the method and the
// amount. People who may not see the order see only the numbers.
import { Text } from '@mantine/core'
import type { RowOf } from '../api/use-call.ts'
import { ordersWords } from '../words/orders.ts'
import { payoutsWords } from '../words/payouts.ts'
import { useLanguage, useWords } from '../words/use-words.tsx'
import { formatMoney } from './money.tsx'

type Props = {
  readonly tradeNo: string
  readonly merOrderNo?: string | undefined
  readonly order: RowOf<'GET /approvals'>['order']
}

export function OrderBrief({ tradeNo, order, merOrderNo = order?.merOrderNo }: Props) {
  const orders = useWords(ordersWords)
  const payouts = useWords(payoutsWords)
  const { locale } = useLanguage()
  const kinds: Readonly<Record<string, string>> = payouts.kinds
  return (
    <div className="two-lines">
      {merOrderNo !== undefined && <div>{merOrderNo}</div>}
      <span className="mono">{tradeNo}</span>
      {order !== undefined && (
        <Text size="xs" c="dimmed">
          {[
            order.person,
            orders.methods[order.method] ?? kinds[order.method] ?? order.method,
            formatMoney(order.money, locale),
          ]
            .filter((part) => part !== '')
            .join(' · ')}
        </Text>
      )}
    </div>
  )
}
