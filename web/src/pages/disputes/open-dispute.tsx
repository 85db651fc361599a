// Opens a dispute that the channel reported in another way, such as by mail.
import { Button, Modal, NativeSelect, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useCall, useSend } from '../../api/use-call.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { ReasonField } from '../../parts/reason-field.tsx'
import { useForm } from '../../parts/use-form.ts'
import { casesWords } from '../../words/cases.ts'
import { partsWords } from '../../words/parts.ts'
import { useWords } from '../../words/use-words.tsx'

type Props = { readonly opened: (tradeNo: string) => void }

export function OpenDispute({ opened }: Props) {
  const cases = useWords(casesWords)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button variant="default" onClick={() => setIsOpen(true)}>
        {cases.open}
      </Button>
      {isOpen && <OpenDialog opened={opened} close={() => setIsOpen(false)} />}
    </>
  )
}

/** The reason code of a dispute for which the channel gives no reason. */
const OTHER_REASON = '0000'

function OpenDialog({ opened, close }: Props & { readonly close: () => void }) {
  const cases = useWords(casesWords)
  const parts = useWords(partsWords)
  const found = useCall('GET /dispute-reasons', {})
  const send = useSend('POST /disputes')
  const initial = { tradeNo: '', amount: '', reasonCode: OTHER_REASON, reason: '' }
  const form = useForm(initial, async ({ tradeNo, amount, ...rest }) => {
    const part = amount.trim() === '' ? {} : { amount: amount.trim() }
    const no = tradeNo.trim()
    await send({ body: { tradeNo: no, ...part, ...rest } })
    close()
    opened(no)
  })
  const reasons = found.data?.reasons ?? [{ code: OTHER_REASON, words: '' }]
  return (
    <Modal opened onClose={close} title={cases.open} closeButtonProps={{ 'aria-label': parts.close }}>
      <FormFrame form={form} action={cases.openNow} danger cancel={close}>
        <Text>{cases.openHint}</Text>
        <TextInput label={cases.tradeNo} required data-autofocus {...form.field('tradeNo')} />
        <TextInput
          label={cases.amount}
          description={cases.wholeAmount}
          inputMode="decimal"
          {...form.field('amount')}
        />
        <NativeSelect
          label={cases.reasonCode}
          data={reasons.map(({ code, words }) => ({ value: code, label: `${code} ${words}` }))}
          {...form.field('reasonCode')}
        />
        <ReasonField {...form.field('reason')} />
      </FormFrame>
    </Modal>
  )
}
