// The button that assigns unmatched money to the order for which it was paid.
import { Button, Modal, Text, TextInput } from '@mantine/core'
import { useSend } from '../api/use-call.ts'
import { decideWords } from '../words/decide.ts'
import { partsWords } from '../words/parts.ts'
import { useWords } from '../words/use-words.tsx'
import { FormFrame } from './form-frame.tsx'
import { useDialog } from './page-dialog.tsx'
import { ReasonField } from './reason-field.tsx'
import { useForm } from './use-form.ts'

export function AssignButton({ suspenseId }: { readonly suspenseId: string }) {
  const decide = useWords(decideWords)
  const open = useDialog(suspenseId)
  return (
    <Button
      size="xs"
      variant="default"
      onClick={() => open((close) => <AssignDialog suspenseId={suspenseId} close={close} />)}
    >
      {decide.assign}
    </Button>
  )
}

function AssignDialog({ suspenseId, close }: { readonly suspenseId: string; readonly close: () => void }) {
  const decide = useWords(decideWords)
  const parts = useWords(partsWords)
  const assign = useSend('POST /suspense/:suspenseId/assign')
  const form = useForm({ tradeNo: '', reason: '' }, async (body) => {
    await assign({ params: { suspenseId }, body })
    close()
  })
  return (
    <Modal opened onClose={close} title={decide.assignTitle} closeButtonProps={{ 'aria-label': parts.close }}>
      <FormFrame form={form} action={decide.assign} cancel={close}>
        <Text>{decide.assignHint}</Text>
        <TextInput label={decide.assignOrder} required data-autofocus {...form.field('tradeNo')} />
        <ReasonField {...form.field('reason')} />
      </FormFrame>
    </Modal>
  )
}
