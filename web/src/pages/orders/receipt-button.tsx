import { Button, Group } from '@mantine/core'
import { useCall } from '../../api/use-call.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { linksWords } from '../../words/links.ts'
import { useWords } from '../../words/use-words.tsx'
import type { OrderView } from './happenings.tsx'

/** The states succeeded, refunded, refunding and disputed. */
const states: readonly number[] = [5, 9, 10, 12]

export function ReceiptButton({ view: { order, kind } }: { readonly view: OrderView }) {
  const links = useWords(linksWords)
  const { tradeNo, state } = order
  const enabled = kind === 'payment' && states.includes(state)
  const { data } = useCall('GET /orders/:tradeNo/receipt', { params: { tradeNo } }, { enabled })
  if (!enabled) return null
  return (
    <Group gap={4} wrap="nowrap">
      <Button
        component="a"
        variant="default"
        target="_blank"
        rel="noreferrer"
        {...(data === undefined ? { 'data-disabled': true } : { href: data.url })}
      >
        {links.receipt}
      </Button>
      <CopyButton text={data?.url ?? ''} label={links.copyReceipt} />
    </Group>
  )
}
