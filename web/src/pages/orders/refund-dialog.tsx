// The dialog that refunds an order in full or in part. An open dialog keeps one refund number, so two clicks make only
// one refund.
import { Modal, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useSend } from '../../api/use-call.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { formatMoney, type MoneyValue } from '../../parts/money.tsx'
import { ReasonField } from '../../parts/reason-field.tsx'
import { useForm } from '../../parts/use-form.ts'
import { ordersWords } from '../../words/orders.ts'
import { partsWords } from '../../words/parts.ts'
import { useLanguage, useWords } from '../../words/use-words.tsx'

type Props = { readonly tradeNo: string; readonly refundable: MoneyValue; readonly close: () => void }

/** The refund dialog. Callers mount it only while it is open. */
export function RefundDialog({ tradeNo, refundable, close }: Props) {
  const orders = useWords(ordersWords)
  const parts = useWords(partsWords)
  const { locale } = useLanguage()
  const [merRefundNo] = useState(() => `web-${crypto.randomUUID().replaceAll('-', '').slice(0, 28)}`)
  const refund = useSend('POST /orders/:tradeNo/refunds')
  const form = useForm({ amount: refundable.amount, reason: '' }, async ({ amount, reason }) => {
    await refund({ params: { tradeNo }, body: { amount, reason, merRefundNo } })
    close()
  })
  return (
    <Modal opened onClose={close} title={orders.refundTitle} closeButtonProps={{ 'aria-label': parts.close }}>
      <FormFrame form={form} action={orders.refundAction} danger cancel={close}>
        <TextInput
          label={orders.refundAmount(formatMoney(refundable, locale))}
          inputMode="decimal"
          required
          data-autofocus
          {...form.field('amount')}
        />
        <ReasonField maxLength={255} {...form.field('reason')} />
      </FormFrame>
    </Modal>
  )
}
