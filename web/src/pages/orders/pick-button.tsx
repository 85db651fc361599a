import { useSend } from '../../api/use-call.ts'
import { DecideButton } from '../../parts/decide-button.tsx'
import { useMay } from '../../shell/me.tsx'
import { ordersWords } from '../../words/orders.ts'
import { useWords } from '../../words/use-words.tsx'
import type { OrderView } from './happenings.tsx'

const PROCESSING = 1
/** Payments by other methods cannot be reviewed: they are decided when the payer pays. */
const REVIEWED = 'sepa'

/** The button is shown to operators who decide reviews, until the payer has paid. */
export function PickButton({ view: { order } }: { readonly view: OrderView }) {
  const orders = useWords(ordersWords)
  const may = useMay()
  const pick = useSend('POST /reviews/:tradeNo/pick')
  if (!may('reviews.decide') || order.state !== PROCESSING || order.method !== REVIEWED) return null
  return (
    <DecideButton
      label={orders.pick}
      title={orders.pickTitle}
      size="sm"
      run={(reason) => pick({ params: { tradeNo: order.tradeNo }, body: { reason } })}
    />
  )
}
