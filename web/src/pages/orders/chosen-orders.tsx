// The actions on chosen orders: refund them, export them, and send their notifications again.
import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useSend } from '../../api/use-call.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { isOperator, useMay, useMe } from '../../shell/me.tsx'
import { ordersWords } from '../../words/orders.ts'
import { useWords } from '../../words/use-words.tsx'
import { NewBulk } from '../bulk-refunds/new-bulk.tsx'
import { ExportButton } from '../exports/export-button.tsx'
import type { OrderLine } from './order-columns.tsx'

/** The maximum number of orders that the server accepts in one action. */
const MOST_CHOSEN = 500

type Props = {
  readonly orders: readonly OrderLine[]
  /** The columns of an export. */
  readonly columns: string
  readonly clear: () => void
}

export function ChosenOrders({ orders, columns, clear }: Props) {
  const words = useWords(ordersWords)
  const may = useMay()
  const isForAll = isOperator(useMe())
  const [first] = orders
  const isOfOne = orders.every(({ merNo }) => merNo === first?.merNo)
  const chosen = isForAll && isOfOne && first !== undefined ? { merNo: first.merNo } : {}
  const tradeNos = orders.map(({ tradeNo }) => tradeNo)
  const isTooMany = tradeNos.length > MOST_CHOSEN
  return (
    <>
      <Text size="sm" fw={500} role="status">
        {words.chosen(tradeNos.length)}
      </Text>
      {isTooMany && <Text size="sm">{words.tooMany(MOST_CHOSEN)}</Text>}
      {!isTooMany && may('refunds.create') && isOfOne && (
        <RefundChosen
          tradeNos={tradeNos}
          path={isForAll ? '/merchant-bulk-refunds' : '/bulk-refunds'}
          chosen={chosen}
        />
      )}
      {!isTooMany && may('orders.export') && (
        <ExportButton
          key={`export ${tradeNos.join()}`}
          label={words.exportChosen}
          filter={{ ...chosen, tradeNos: tradeNos.join() }}
          columns={columns}
        />
      )}
      {!isTooMany && may('notifications.resend') && (
        <NotifyChosen key={`notify ${tradeNos.join()}`} tradeNos={tradeNos} />
      )}
      <Button variant="subtle" onClick={clear}>
        {words.chooseNone}
      </Button>
      {!isOfOne && may('refunds.create') && (
        <Text size="sm" c="dimmed">
          {words.ofOneMerchant}
        </Text>
      )}
    </>
  )
}

type Chosen = { readonly tradeNos: readonly string[] }

function RefundChosen(props: Chosen & Pick<Parameters<typeof NewBulk>[0], 'path' | 'chosen'>) {
  const words = useWords(ordersWords)
  const [isOpen, setIsOpen] = useState(false)
  const { tradeNos, path, chosen } = props
  return (
    <>
      <Button variant="default" onClick={() => setIsOpen(true)}>
        {words.refundChosen}
      </Button>
      {isOpen && (
        <NewBulk path={path} chosen={chosen} numbers={tradeNos.join('\n')} close={() => setIsOpen(false)} />
      )}
    </>
  )
}

function NotifyChosen({ tradeNos }: Chosen) {
  const words = useWords(ordersWords)
  const resend = useSend('POST /notifications/resend')
  const [sent, setSent] = useState<{ readonly orders: number; readonly without: number }>()
  if (sent !== undefined)
    return (
      <Text size="sm" role="status">
        {words.notified(sent.orders, sent.without)}
      </Text>
    )
  return (
    <ActionButton run={async () => setSent(await resend({ body: { tradeNos: [...tradeNos] } }))}>
      {words.notifyChosen}
    </ActionButton>
  )
}
