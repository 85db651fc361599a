import { Button } from '@mantine/core'
import { useState } from 'react'
import { useMay } from '../../shell/me.tsx'
import { useWords } from '../../words/use-words.tsx'
import type { OrderView } from './happenings.tsx'
import { isZero } from './order-facts.tsx'
import { RefundDialog } from './refund-dialog.tsx'

/** Only if something is left to refund, and the person may. */
export function RefundButton({ view }: { readonly view: OrderView }) {
  const { orders } = useWords()
  const may = useMay()
  const [isOpen, setIsOpen] = useState(false)
  if (!may('refunds.create') || isZero(view.refundable)) return null
  return (
    <>
      <Button variant="default" onClick={() => setIsOpen(true)}>
        {orders.refund}
      </Button>
      {isOpen && (
        <RefundDialog
          tradeNo={view.order.tradeNo}
          refundable={view.refundable}
          close={() => setIsOpen(false)}
        />
      )}
    </>
  )
}
