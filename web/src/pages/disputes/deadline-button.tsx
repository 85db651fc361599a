// The button that changes the deadline of a dispute after the channel has set another day.
import { Button, Modal, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useSend } from '../../api/use-call.ts'
import { dayOf, lastMomentOf } from '../../parts/days.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { useDialog } from '../../parts/page-dialog.tsx'
import { ReasonField } from '../../parts/reason-field.tsx'
import { useForm } from '../../parts/use-form.ts'
import { casesWords } from '../../words/cases.ts'
import { partsWords } from '../../words/parts.ts'
import { useWords } from '../../words/use-words.tsx'

type Props = { readonly tradeNo: string; readonly answerBy: string | undefined }

export function DeadlineButton(props: Props) {
  const cases = useWords(casesWords)
  const open = useDialog(props.tradeNo)
  return (
    <Button
      size="xs"
      variant="default"
      onClick={() => open((close) => <DeadlineDialog {...props} close={close} />)}
    >
      {cases.setDeadline}
    </Button>
  )
}

function DeadlineDialog({ tradeNo, answerBy, close }: Props & { readonly close: () => void }) {
  const cases = useWords(casesWords)
  const parts = useWords(partsWords)
  const client = useQueryClient()
  const send = useSend('POST /disputes/:tradeNo/deadline')
  const initial = { answerBy: dayOf(answerBy), reason: '' }
  const form = useForm(initial, async ({ answerBy: day, reason }) => {
    const body = { answerBy: lastMomentOf(day) ?? day, seen: answerBy ?? null, reason }
    await send({ params: { tradeNo }, body })
    close()
  })
  const reload = () => {
    close()
    void client.invalidateQueries()
  }
  return (
    <Modal opened onClose={close} title={cases.setDeadline} closeButtonProps={{ 'aria-label': parts.close }}>
      <FormFrame form={form} action={cases.setDeadline} cancel={close} reload={reload}>
        <TextInput type="date" label={cases.answerBy} required data-autofocus {...form.field('answerBy')} />
        <ReasonField {...form.field('reason')} />
      </FormFrame>
    </Modal>
  )
}
