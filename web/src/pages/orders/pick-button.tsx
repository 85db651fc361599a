import { useSend } from '../../api/use-call.ts'
import { DecideButton } from '../../parts/decide-button.tsx'
import { useMay } from '../../shell/me.tsx'
import { ordersWords } from '../../words/orders.ts'
import { useWords } from '../../words/use-words.tsx'
import type { OrderView } from './happenings.tsx'

const PROCESSING = 1
/** The only method whose payments can be picked for review. */
const REVIEWED = 'sepa'

/** The button that picks an unpaid payment for review. Only operators who decide reviews see it. */
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
