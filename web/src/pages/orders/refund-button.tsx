import { Button } from '@mantine/core'
import type { MoneyValue } from '../../parts/money.tsx'
import { useDialog } from '../../parts/page-dialog.tsx'
import { useMay } from '../../shell/me.tsx'
import { ordersWords } from '../../words/orders.ts'
import { useWords } from '../../words/use-words.tsx'
import type { OrderView } from './happenings.tsx'
import { isZero } from './order-facts.tsx'
import { RefundDialog } from './refund-dialog.tsx'

export function RefundButton({ view: { order, refundable } }: { readonly view: OrderView }) {
  const may = useMay()
  if (!may('refunds.create') || isZero(refundable)) return null
  return <Opener tradeNo={order.tradeNo} refundable={refundable} />
}

function Opener(of: { readonly tradeNo: string; readonly refundable: MoneyValue }) {
  const orders = useWords(ordersWords)
  const open = useDialog(of.tradeNo)
  return (
    <Button variant="default" onClick={() => open((close) => <RefundDialog {...of} close={close} />)}>
      {orders.refund}
    </Button>
  )
}
